/** The words of the board itself: its tiles, by name and in a sentence. */

import { catalogue } from '../../../words/catalogue.svelte';
import { factsOf, LETTERS, type Letter } from './tiles';

export const words = catalogue({
  fr: {
    board: 'Plateau de 12 sur 12',
    place: 'colonne {x}, ligne {y}',
    robotHere: 'robot {n}, tourné vers {azimuth}',
    canChoose: 'peut être choisie',
    isGoal: 'votre but',
    North: 'le nord',
    East: 'l’est',
    South: 'le sud',
    West: 'l’ouest',
    sideN: 'nord',
    sideE: 'est',
    sideS: 'sud',
    sideO: 'ouest',
    towardN: 'vers le nord',
    towardE: 'vers l’est',
    towardS: 'vers le sud',
    towardO: 'vers l’ouest',
    fromN: 'du nord',
    fromE: 'de l’est',
    fromS: 'du sud',
    fromO: 'de l’ouest',
    and: ' et ',
    neutral: 'Dalle neutre',
    belt: 'Convoyeur',
    bend: 'Convoyeur rotatif',
    junction: 'Convoyeur à double entrée',
    turntableRight: 'Tourniquet tribord',
    turntableLeft: 'Tourniquet bâbord',
    turntable: 'Tourniquets',
    wall: 'Mur',
    laser: 'Laser',
    pusher: 'Pousseur',
    action: 'Action',
    pothole: 'Nid-de-poule',
    press: 'Presse',
    repair: 'Réparation',
    repair1: 'Réparation simple',
    repair2: 'Réparation double',
    law: 'Lois de la robotique',
    law1: 'Première loi',
    law2: 'Deuxième loi',
    law3: 'Troisième loi',
    unknown: 'Dalle inconnue ({name})',
    beltIs: 'Convoyeur {to}',
    bendIs: 'Convoyeur rotatif {from} {to}',
    junctionIs: 'Convoyeur à double entrée, {from}, {to}',
    wallIs: 'Mur {sides}',
    laserIs: 'Laser qui tire {to}',
    pusherIs: 'Pousseur {to}',
    neutralDoes: 'Il ne s’y passe rien.',
    beltDoes: 'Emporte le robot d’une dalle, dans le sens des chevrons.',
    bendDoes: 'Emporte aussi ; un robot amené par un convoyeur tourne avec le virage, celui qui y est venu lui-même ne tourne pas.',
    junctionDoes: 'Reçoit du nord et de l’ouest, emporte vers l’est ; tourne ceux qui viennent du nord.',
    turntableDoes: 'Fait tourner le robot d’un quart, dans le sens des flèches.',
    wallDoes: 'Rien ne le traverse, ni d’un côté ni de l’autre.',
    laserDoes: 'Un mur qui tire jusqu’au prochain mur ou robot : 1 énergie perdue à chaque registre.',
    pusherDoes: 'Pousse d’une dalle, dans le sens de la flèche, le robot qui s’y trouve.',
    actionDoes: 'Un robot qui s’y trouve à la fin de la manche fait changer de plateau, si la partie en a un autre.',
    potholeDoes: 'Y entrer coûte 1 énergie ; y rester ne coûte rien.',
    pressDoes: 'N’est pas utilisée : un plateau qui en a une est refusé.',
    repairDoes: 'Rend 1 énergie (une clef) ou 2 (deux clefs) à la fin de la manche.',
    lawDoes: 'Les trois lois à trouver, dans l’ordre : être sur la dalle à la fin d’un registre suffit.',
    legend: 'Les dalles',
  },
  en: {
    board: 'Board of 12 by 12',
    place: 'column {x}, row {y}',
    robotHere: 'robot {n}, facing {azimuth}',
    canChoose: 'can be chosen',
    isGoal: 'your goal',
    North: 'north',
    East: 'east',
    South: 'south',
    West: 'west',
    sideN: 'north',
    sideE: 'east',
    sideS: 'south',
    sideO: 'west',
    towardN: 'to the north',
    towardE: 'to the east',
    towardS: 'to the south',
    towardO: 'to the west',
    fromN: 'from the north',
    fromE: 'from the east',
    fromS: 'from the south',
    fromO: 'from the west',
    and: ' and ',
    neutral: 'Neutral tile',
    belt: 'Conveyor',
    bend: 'Rotary conveyor',
    junction: 'Conveyor with two entries',
    turntableRight: 'Turntable to the right',
    turntableLeft: 'Turntable to the left',
    turntable: 'Turntables',
    wall: 'Wall',
    laser: 'Laser',
    pusher: 'Pusher',
    action: 'Action',
    pothole: 'Pothole',
    press: 'Press',
    repair: 'Repair',
    repair1: 'Single repair',
    repair2: 'Double repair',
    law: 'Laws of robotics',
    law1: 'First law',
    law2: 'Second law',
    law3: 'Third law',
    unknown: 'Unknown tile ({name})',
    beltIs: 'Conveyor {to}',
    bendIs: 'Rotary conveyor {from} {to}',
    junctionIs: 'Conveyor with two entries, {from}, {to}',
    wallIs: 'Wall on the {sides}',
    laserIs: 'Laser firing {to}',
    pusherIs: 'Pusher {to}',
    neutralDoes: 'Nothing happens there.',
    beltDoes: 'Carries a robot one tile, the way its chevrons point.',
    bendDoes: 'Carries too; a robot brought by a conveyor turns with the bend, one that walked on does not.',
    junctionDoes: 'Takes from the north and the west, carries to the east; turns those that come from the north.',
    turntableDoes: 'Turns a robot by a quarter, the way its arrows go.',
    wallDoes: 'Nothing passes it, from either side.',
    laserDoes: 'A wall that fires as far as the next wall or robot: 1 energy lost in every register.',
    pusherDoes: 'Pushes the robot that stands on it one tile, the way its arrow points.',
    actionDoes: 'A robot that stands there when the round ends swaps the board, if the game has another.',
    potholeDoes: 'Entering it costs 1 energy; staying in it costs nothing.',
    pressDoes: 'Is not used: a board that has one is refused.',
    repairDoes: 'Gives back 1 energy (one wrench) or 2 (two wrenches) when the round ends.',
    lawDoes: 'The three laws to find, in order: standing on the tile when a register ends is enough.',
    legend: 'The tiles',
  },
});

const side = (letter: Letter): string => words(`side${letter}`);

/** A tile by its full name: what it is and which way it leads. */
export function spokenTile(name: string): string {
  const facts = factsOf(name);
  if (!facts) return words('unknown', { name });
  const to = facts.to ? words(`toward${facts.to}`) : '';
  const from = facts.from.map((letter) => words(`from${letter}`)).join(words('and'));
  switch (facts.kind) {
    case 'belt': return words('beltIs', { to });
    case 'bend': return words('bendIs', { from, to });
    case 'junction': return words('junctionIs', { from, to });
    case 'turntable': return words(facts.turn > 0 ? 'turntableRight' : 'turntableLeft');
    case 'wall': return words('wallIs', { sides: LETTERS.filter((each) => facts.walls.includes(each)).map(side).join(', ') });
    case 'laser': return words('laserIs', { to });
    case 'pusher': return words('pusherIs', { to });
    case 'repair': return words(facts.worth === 1 ? 'repair1' : 'repair2');
    case 'law': return words(`law${facts.worth}` as 'law1');
    default: return words(facts.kind);
  }
}
