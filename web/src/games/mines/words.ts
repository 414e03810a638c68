import { catalogue } from '../../words/catalogue.svelte';
import { kind, squareName } from './squares';

export const words = catalogue({
  fr: {
    numbers: 'Chiffres du démineur de 1 à 8',
    board: 'Plateau de {width} colonnes sur {height} lignes, {mines} mines',
    boardText: 'Le plateau en texte',
    minesLeft: 'Mines restantes',
    opened: 'Ouvert',
    percent: '{n} %',
    multiplier: 'Multiplicateur',
    time: 'Temps',
    mode: 'Ce que fait un clic ou un appui',
    modeOpen: 'Ouvrir',
    modeFlag: 'Drapeau',
    who: 'Qui a ouvert quoi',
    asText: 'En texte',
    smaller: 'Cases plus petites',
    larger: 'Cases plus grandes',
    hintMouseFlags: 'Clic : ouvrir. Clic droit : drapeau. Au clavier : flèches, Entrée pour ouvrir, F pour le drapeau.',
    hintTouchFlags: 'Un appui ouvre, un appui long pose un drapeau. Deux doigts agrandissent le plateau.',
    hintMouse: 'Clic : ouvrir. Au clavier : flèches, Entrée pour ouvrir.',
    hintTouch: 'Un appui ouvre. Deux doigts agrandissent le plateau.',
    hintChord: 'Sur un chiffre dont les drapeaux sont posés, un clic (ou C) ouvre ses voisines.',
    flagFirst: '{square} porte votre drapeau : retirez-le d’abord.',
    startThere: 'Ce plateau se commence en {square}, la case marquée.',
    noFlags: 'À cette table, il n’y a pas de drapeaux.',
    ownOne: '{square} : {content} ({points}).',
    ownMany: '{square} : {n} cases ouvertes ({points}).',
    ownMine: '{square} : une mine ! ({points})',
    typeSquare: 'Case',
    typeHint: 'K4 ouvre la ligne K, colonne 4 ; « K4 f » pose ou retire un drapeau ; « K4 c » ouvre les voisines d’un chiffre.',
    play: 'Jouer',
    notASquare: '« {text} » n’est pas une case. Écrivez par exemple K4 ou K4 f.',
    offTheBoard: 'Cette case est hors du plateau, qui va de A1 à {last}.',
    legend: 'X : cachée ; D : votre drapeau ; chiffre : mines voisines ; un point : aucune mine autour ; * : mine.',
    legendWho: 'Après le point médian, le numéro de la place de qui l’a ouverte.',
    ending: 'Fin de la partie',
    cleared: 'Plateau déminé',
    abandoned: 'Partie abandonnée',
    abandonedMeans: 'Plus personne ne jouait : les points gagnés dans cette partie sont retirés.',
    safeSquares: { one: '{n} case sûre', other: '{n} cases sûres' },
    minesHit: { one: '{n} mine touchée', other: '{n} mines touchées' },
    best: 'meilleur démineur +50',
    worst: 'le plus explosé −50',
    bbbvMeans: 'Le plus petit nombre de clics qui ouvre ce plateau sans drapeau',
    pace: '3BV par seconde',
    yourFlags: 'Vos drapeaux',
    flagsJudged: '{right} justes, {wrong} faux',
    cell: '{square}, {what}',
    hidden: 'cachée',
    flag: 'drapeau',
    right: 'drapeau juste',
    wrong: 'drapeau faux',
    mine: 'mine',
    hit: 'mine touchée',
    empty: 'vide',
    opening: 'ouverture en cours',
    start: 'cachée, case de départ',
    signFlag: 'D',
    signWrong: 'D!',
    rulesGoalTitle: 'Le but',
    rulesGoal:
      'Tous les joueurs partagent un même plateau : 30 colonnes, 16 lignes, 99 mines. La partie est finie quand toutes les cases sûres sont ouvertes. Chacun ouvre quand il veut : personne n’attend son tour.',
    rulesNumbersTitle: 'Les chiffres',
    rulesNumbers:
      'Une case ouverte montre combien de mines la touchent, par un côté ou par un coin. Ici, le 1 coloré n’a qu’une voisine cachée : c’est la mine.',
    rulesEmptyTitle: 'Les cases vides',
    rulesEmpty:
      'Une case sans mine autour est vide. L’ouvrir ouvre aussi, sans diagonales, les cases vides qui la touchent, jusqu’aux chiffres qui les bordent : tout cela compte pour vous.',
    rulesPointsTitle: 'Les points',
    rulesPoints:
      'Une case vide vaut 1 point, un chiffre sa valeur, une mine −10. Le tout est multiplié par le nombre de joueurs actifs au moment du clic. Qui ne clique pas pendant 30 secondes ne compte plus, jusqu’à son clic suivant.',
    rulesFirst: 'Le premier clic d’une partie ne touche jamais une mine.',
    rulesFlagsTitle: 'Les drapeaux',
    rulesFlags:
      'Clic droit, appui long ou touche F : un drapeau que vous êtes seul à voir. Une case qui le porte ne s’ouvre pas par mégarde. Quand un chiffre a tous ses drapeaux, un clic dessus ouvre ses autres voisines, si la table le permet.',
    rulesEndTitle: 'La fin',
    rulesEnd:
      'Dès deux joueurs : +50 à qui a ouvert le plus de cases sûres, −50 à qui a touché le plus de mines. Si plus personne ne joue pendant une minute, la partie est abandonnée et les points gagnés sont perdus.',
    rulesOwnTitle: 'Le plateau à la carte',
    rulesOwn:
      'De 5 × 5 à 60 × 40, avec autant de mines que vous voulez. « Sans hasard » : le plateau se résout par la seule logique, à partir d’une case de départ marquée.',
    rulesNumbersPicture: 'Un 1 coloré entouré de cases ouvertes ; sa seule voisine cachée porte un drapeau.',
    rulesEmptyPicture: 'Des cases vides bordées de 1 et de 2.',
    rulesFlagsPicture: 'Un 2 avec ses deux drapeaux : ses autres voisines peuvent s’ouvrir.',
  },
  en: {
    numbers: 'Minesweeper numbers 1 to 8',
    board: 'Board of {width} columns by {height} rows, {mines} mines',
    boardText: 'The board as text',
    minesLeft: 'Mines left',
    opened: 'Open',
    percent: '{n}%',
    multiplier: 'Multiplier',
    time: 'Time',
    mode: 'What a click or a tap does',
    modeOpen: 'Open',
    modeFlag: 'Flag',
    who: 'Who opened what',
    asText: 'As text',
    smaller: 'Smaller squares',
    larger: 'Larger squares',
    hintMouseFlags: 'Click to open, right click to flag. By keyboard: arrows, Enter to open, F to flag.',
    hintTouchFlags: 'A tap opens, a long press flags. Two fingers enlarge the board.',
    hintMouse: 'Click to open. By keyboard: arrows, Enter to open.',
    hintTouch: 'A tap opens. Two fingers enlarge the board.',
    hintChord: 'On a number whose flags are set, a click (or C) opens its neighbours.',
    flagFirst: '{square} bears your flag: remove it first.',
    startThere: 'This board is begun at {square}, the marked square.',
    noFlags: 'There are no flags at this table.',
    ownOne: '{square}: {content} ({points}).',
    ownMany: '{square}: {n} squares opened ({points}).',
    ownMine: '{square}: a mine! ({points})',
    typeSquare: 'Square',
    typeHint: 'K4 opens row K, column 4; “K4 f” sets or removes a flag; “K4 c” opens the neighbours of a number.',
    play: 'Play',
    notASquare: '“{text}” is not a square. Write for instance K4 or K4 f.',
    offTheBoard: 'That square is off the board, which goes from A1 to {last}.',
    legend: 'X: hidden; F: your flag; a number: mines around; a dot: no mine around; *: mine.',
    legendWho: 'After the middle dot, the number of the seat that opened it.',
    ending: 'The end of the match',
    cleared: 'Board cleared',
    abandoned: 'Match abandoned',
    abandonedMeans: 'Nobody was playing any more: the points won in this match are taken away.',
    safeSquares: { one: '{n} safe square', other: '{n} safe squares' },
    minesHit: { one: '{n} mine hit', other: '{n} mines hit' },
    best: 'best sweeper +50',
    worst: 'most blown up −50',
    bbbvMeans: 'The least clicks that open this board without flags',
    pace: '3BV a second',
    yourFlags: 'Your flags',
    flagsJudged: '{right} right, {wrong} wrong',
    cell: '{square}, {what}',
    hidden: 'hidden',
    flag: 'flag',
    right: 'right flag',
    wrong: 'wrong flag',
    mine: 'mine',
    hit: 'mine that was hit',
    empty: 'empty',
    opening: 'being opened',
    start: 'hidden, start square',
    signFlag: 'F',
    signWrong: 'F!',
    rulesGoalTitle: 'The goal',
    rulesGoal:
      'All players share one board: 30 columns, 16 rows, 99 mines. The match is over when every safe square is open. Everybody opens when he likes: there are no turns.',
    rulesNumbersTitle: 'The numbers',
    rulesNumbers:
      'An open square shows how many mines touch it, by a side or a corner. Here the tinted 1 has one hidden neighbour only: that is the mine.',
    rulesEmptyTitle: 'Empty squares',
    rulesEmpty:
      'A square with no mine around it is empty. Opening it also opens, without diagonals, the empty squares that touch it, up to the numbers at their edge: all of that counts for you.',
    rulesPointsTitle: 'Points',
    rulesPoints:
      'An empty square is worth 1 point, a number its value, a mine −10. All of it is multiplied by the number of active players at the click. Who does not click for 30 seconds no longer counts, until his next click.',
    rulesFirst: 'The first click of a match never hits a mine.',
    rulesFlagsTitle: 'Flags',
    rulesFlags:
      'Right click, long press or the F key: a flag that only you can see. A square that bears it is not opened by mistake. When a number has all its flags, a click on it opens its other neighbours, if the table allows it.',
    rulesEndTitle: 'The end',
    rulesEnd:
      'From two players on: +50 to who opened the most safe squares, −50 to who hit the most mines. If nobody plays for a minute, the match is abandoned and the points won are lost.',
    rulesOwnTitle: 'A board of your own',
    rulesOwn:
      'From 5 × 5 to 60 × 40, with as many mines as you like. “Without guessing”: the board can be solved by logic alone, from a marked start square.',
    rulesNumbersPicture: 'A tinted 1 among open squares; its only hidden neighbour bears a flag.',
    rulesEmptyPicture: 'Empty squares with 1s and 2s at their edge.',
    rulesFlagsPicture: 'A 2 with its two flags: its other neighbours may be opened.',
  },
});

/** A square in words, for who does not see it. Made of strings: two thousand labels must come quickly. */
export function spoken(cell: string, x: number, y: number): string {
  return words('cell', { square: squareName(x, y), what: what(cell) });
}

function what(cell: string): string {
  if (cell[3] === 'o') return words('opening');
  if (cell[3] === 's') return words('start');
  const is = kind(cell);
  if (is !== 'open') return words(is);
  return cell[0] === '0' ? words('empty') : cell[0]!;
}

/** A square of the textual twin. */
export function sign(cell: string): string {
  switch (kind(cell)) {
    case 'hidden': return 'X';
    case 'flag':
    case 'right': return words('signFlag');
    case 'wrong': return words('signWrong');
    case 'mine':
    case 'hit': return '*';
    case 'open': return cell[0] === '0' ? '.' : cell[0]!;
  }
}
