/** A small game to begin with: four short arms, three colours, two cards, one trump. */

export const TEMPLATE = `{
  "mon arène": {
    "colors": ["GREEN", "ORANGE", "PURPLE"],
    "board": {
      "number_arms": 4,
      "arms_width": 3,
      "arms_length": 2,
      "inner_circle_colors": ["GREEN,GREEN,ORANGE,ORANGE,PURPLE,PURPLE"],
      "arms_colors": ["GREEN,PURPLE,ORANGE", "GREEN,PURPLE,ORANGE", "ORANGE,GREEN,PURPLE"]
    },
    "movements_cards": {
      "number_cards_per_color": 2,
      "cards": [
        {
          "name": "Scout",
          "number_of_movements": 1,
          "movements_type": ["line", "diagonal"],
          "additional_movements_colors": ["ALL"]
        },
        {"name": "Queen", "number_of_movements": 2, "movements_type": ["line", "diagonal"]}
      ]
    },
    "trumps": [
      {
        "name": "Tower",
        "description": "Une couleur de moins.",
        "cost": 3,
        "must_target_player": true,
        "repeat_for_each_color": true,
        "parameters": {"type": "RemoveColor"}
      }
    ]
  }
}
`;
