// Written by `make types` from the house's own types (doors/web/typescript.py). Do not edit.

/** What is ahead or going on, and how many days of this year are left. */
export interface AbsenceList {
  absences: AbsenceShape[];
  days_a_year: number;
  days_left: number;
  today: string;
}

/** From the first day to the last, both included, by the calendar of the club. */
export interface AbsenceShape {
  first: string;
  last: string;
  used: boolean;
}

export interface AccountChange {
  pseudo?: string;
  email?: string | null;
  first_name?: string;
  family_name?: string;
  telephone?: string;
  country?: string;
  time_zone?: string;
  stand_in?: boolean;
  language?: string;
  settings?: Record<string, unknown>;
  password?: string | null;
}

/** All that the house knows about somebody, for himself alone. */
export interface AccountDetails {
  id: number;
  kind: string;
  role: string;
  pseudo: string;
  email: string | null;
  email_confirmed: boolean;
  first_name: string;
  family_name: string;
  telephone: string;
  country: string;
  time_zone: string;
  stand_in: boolean;
  language: string;
  settings: Record<string, unknown>;
  created_at: number;
  has_password: boolean;
}

/** An account as administrators see it. */
export interface AccountLine {
  id: number;
  kind: string;
  role: string;
  pseudo: string;
  email: string | null;
  email_confirmed: boolean;
  first_name: string;
  family_name: string;
  telephone: string;
  country: string;
  time_zone: string;
  language: string;
  created_at: number;
  seen_at: number;
  identified_at: number | null;
  deleted_at: number | null;
  banned_until: number | null;
}

/** Accounts, newest first. */
export interface AccountLines {
  accounts: AccountLine[];
}

export interface ActInfo {
  seq: number;
  at: number;
  account: number | null;
  facts: unknown[];
}

export interface ActList {
  acts: ActInfo[];
  people: Record<string, string>;
}

/** What players of a variant do: the JSON Schema of each action, by its name. */
export interface ActionForms {
  actions: Record<string, unknown>;
}

/** A tile that is not neutral, spelled as in the document. */
export interface ActiveTile {
  tileType: string;
  tileLocX: number;
  tileLocY: number;
}

/** A new webhook; its `secret`, which signs what is sent, is shown this once. Discord needs none. */
export interface AddedWebhook {
  webhook: WebhookShape;
  secret: string | null;
}

/** Tables of any access, newest first. */
export interface AdminTables {
  tables: TableInfo[];
}

export interface Adoption {
  table: number;
  reason?: string;
}

/** The best move that was found; what the position is worth then, for White. */
export interface Advice {
  move: string;
  san: string;
  score: number;
  wins_in: number | null;
  judge: string;
  is_weak: boolean;
}

/** A position, what may be played in it by whoever is to move, and what is best. */
export interface Analysis {
  fen: string;
  boards: Record<string, string>;
  turn: "black" | "white";
  last: string | null;
  check: string | null;
  line: string[];
  moves: Record<string, string[]>;
  promotes: Record<string, string[]>;
  ended: string | null;
  advice: Advice | null;
}

export interface ArenaCard {
  name: string;
  description: string;
  steps: number;
  types: string[];
  special_actions: string[];
}

/** One thing that is wrong: where (a JSON path), what was found (JSON, or nothing), what was expected. */
export interface ArenaFault {
  path: string;
  found: string;
  expected: Bilingual;
  said: Bilingual;
  line: number | null;
  column: number | null;
}

/** A game that was found; `description` is its text for the drawing and for reach. */
export interface ArenaGame {
  name: string;
  is_name_for_a_club: boolean;
  description: string;
  number_players: number;
  number_arms: number;
  arms_width: number;
  circle_rows: number;
  arm_rows: number;
  squares: number;
  deck: number;
  colors: string[];
  cards: ArenaCard[];
  trumps: ArenaTrump[];
  remarks: Bilingual[];
}

/** A board's drawing: `centers` are points of it by square, `y * width + x`; `width` is once round. */
export interface ArenaPicture {
  view_box: string;
  arms_width: number;
  turns: string[];
  elements: DrawnSquare[];
  colors: string[];
  paints: Record<string, string>;
  centers: [number, number][];
  width: number;
}

/** Squares in order, as [x, y]. */
export interface ArenaReach {
  squares: [number, number][];
}

export interface ArenaStep {
  description: string;
  card: string;
  color: string;
  x: number;
  y: number;
}

export interface ArenaText {
  text: string;
}

export interface ArenaTrump {
  name: string;
  description: string;
  cost: number;
  duration: number;
}

/** What came of a request: asked, or friends at once if the other had asked already. */
export interface Asked {
  status: string;
}

export interface Asking {
  boards: BoardForm[];
  robot: RobotForm;
  others?: RobotForm[];
  board?: number;
  round?: number;
}

export interface Ban {
  until?: number | null;
  reason?: string;
}

/** The same in both languages. */
export interface Bilingual {
  fr: string;
  en: string;
}

/** A board as the document's frame InitDeclareBoard and our files have it. */
export interface BoardDocument {
  boardIdx: number;
  boardWidth: number;
  boardHeight: number;
  boardActiveTiles: ActiveTile[];
}

/** A board to drive on: it need not be finished, but all its tiles must be known. */
export interface BoardForm {
  boardWidth: 12;
  boardHeight: 12;
  boardIdx: number;
  boardActiveTiles: TileForm[];
}

/** A board of a round: accounts in the order of the seats, White first. */
export interface BoardInfo {
  round: number;
  board: number;
  seats: number[];
  table: number | null;
  result: unknown;
}

export interface BoardToCheck {
  board: unknown;
  others?: unknown[];
}

/** A knockout: seeds, the best first, and every round of matches. */
export interface Bracket {
  seeds: number[];
  best_of: number;
  rounds: MatchInfo[][];
  people: Record<string, string>;
}

/** The house closes this connection; come back after so many milliseconds, with `since`. */
export interface Bye {
  type: "bye";
  reason: string;
  back_in: number;
}

/** How one kind of thing is told now; one that `must` be told cannot be chosen otherwise. */
export interface CallKind {
  kind: string;
  mail: "digest" | "now" | "off";
  push: boolean | null;
  must: boolean;
  own: boolean;
  own_push: boolean;
}

/** How one is told things. At one table the hours are those of everywhere. */
export interface Calling {
  kinds: CallKind[];
  digest_at: number;
  quiet_from: number;
  quiet_until: number;
  reached: boolean;
  refused: string | null;
}

/** What a round was to somebody. */
export interface CellInfo {
  round: number;
  board: number;
  table: number | null;
  mark: string;
  points: number | null;
  opponents: number[];
  role: number;
}

/** How many centres each role had at the end of a year. */
export interface CentreYear {
  year: number;
  counts: Record<string, number>;
}

/** An offer to play, to a friend or (with `rematch_of`) to the opponent of a finished table. */
export interface ChallengeInfo {
  id: number;
  challenger: Person;
  challenged: Person;
  mine: boolean;
  rematch_of: number | null;
  game: string;
  variant: string;
  options: unknown;
  time_control: unknown;
  rated: boolean;
  at: number;
  expires_at: number;
  status: string;
  table: number | null;
  side: string | null;
}

/** Challenges and rematches, newest first. */
export interface ChallengeList {
  challenges: ChallengeInfo[];
}

/** One's challenges, at subscription and when they change; `table` of an accepted one is where to go. */
export interface Challenged {
  type: "challenges";
  challenges: ChallengeInfo[];
}

/** The challenges and rematches that one has offered and was offered. */
export interface ChallengesTopic {
  topic: "challenges";
}

export interface ChampionshipCard {
  id: number;
  name: string;
  status: string;
  tournaments: number;
  best: number;
  description: string;
  organisers: Person[];
  organises: boolean;
  parts: ChampionshipTournament[];
  seq: number;
}

/** A championship in short. */
export interface ChampionshipInfo {
  id: number;
  name: string;
  status: string;
  tournaments: number;
  best: number;
}

export interface ChampionshipList {
  championships: ChampionshipInfo[];
}

/** All that its organisers choose. */
export interface ChampionshipPlan {
  name: string;
  description?: string;
  best?: number;
}

/** Who stands where over several tournaments; round n of a line is the n-th of these. */
export interface ChampionshipStandings {
  tournaments: number[];
  lines: StandingInfo[];
}

/** A tournament of a championship; only one that is over counts. */
export interface ChampionshipTournament {
  tournament: number;
  name: string;
  game: string;
  variant: string;
  status: string;
  weight: string;
}

/** A channel: `global`, `table:12`, or `private` for every private message to and from oneself. */
export interface ChatTopic {
  topic: "chat";
  channel: string;
  invitation?: string | null;
}

/** What is wrong with each order, the zones of units without one, and a wrong number of adjustments. */
export interface Checked {
  faults: (string | null)[];
  missing: number[];
  too_many: string | null;
}

/** All the faults of a file, or, where there are none, its games; `warnings` are of what is left aside. */
export interface CheckedArena {
  faults: ArenaFault[];
  warnings: ArenaFault[];
  games: ArenaGame[];
}

/** All the errors of a board, what would make it better, and where a race on it may start. */
export interface CheckedBoard {
  errors: Trouble[];
  advice: Trouble[];
  figures: Figures | null;
  starts: number[];
}

export interface Checking {
  advancement: number;
  situation: SituationForm;
  orders: ([number, number, number, number, number, boolean | number, number])[];
  role?: number | null;
  choices?: "AFJD" | "DATC";
  language?: "en" | "fr" | null;
}

/** One of the game's own conditions: "Victoire", "18 centres". */
export interface ConditionLine {
  name: string;
  text: string;
}

/** What the game of a table says of how it is played; the table's own terms are in `TableInfo`. */
export interface Conditions {
  table: number;
  lines: ConditionLine[];
}

/** How somebody kept deadlines and games over the last two years; anonymous games count for nothing. */
export interface ConductShape {
  reliability: number;
  regularity: number;
  owed: number;
  late: number;
  finished: number;
  dropped: number;
}

export interface Confirmation {
  code: string;
}

/** A private channel: with whom, the last message, how many are unread. */
export interface Conversation {
  channel: string;
  person: Person;
  last_message: number;
  last: Message;
  unread: number;
}

/** One's private channels, the last used first. */
export interface Conversations {
  conversations: Conversation[];
  unread: number;
}

/** A round in somebody's points. */
export interface CountedInfo {
  round: number;
  points: number;
  exact: string;
  weight: string;
  counts: boolean;
  is_mean: boolean;
  terms: PartInfo[];
}

/** How many there are of what. */
export interface Counts {
  members: number;
  visitors: number;
  tables_open: number;
  tables_running: number;
  mail_waiting: number;
  mail_failed: number;
}

export interface CrossLine {
  place: number;
  account: number;
  pseudo: string;
  points: number;
  cells: CellInfo[];
}

export interface CrossTable {
  lines: CrossLine[];
}

export interface Deal {
  roles: Record<string, number>;
}

export interface Declaration {
  role: number;
  text: string;
}

/** Who did what, to whom, from where. */
export interface DeedLine {
  id: number;
  at: number;
  actor: number | null;
  actor_name: string | null;
  account: number | null;
  account_name: string | null;
  what: string;
  about: Record<string, unknown>;
  address: string;
}

/** The log of deeds, newest first. */
export interface DeedLines {
  deeds: DeedLine[];
}

export interface DescribedArena {
  description: string;
}

/** A browser that takes push messages; its address is between it and the house. */
export interface DeviceInfo {
  id: number;
  label: string;
  made_at: number;
  reached_at: number | null;
  error: string | null;
  refused: boolean;
  this: boolean;
}

export interface DraftInfo {
  round: number;
  version: number;
  boards: number[][];
  byes: number[];
  absent: number[];
  by_hand: boolean;
  warnings: DraftWarning[];
}

/** Orders of this phase that are not sealed yet; `at` is null while there are none. */
export interface DraftShape {
  advancement: number;
  orders: number[][];
  text: string;
  at: number | null;
}

/** Something to look at before a draft is published: rematch, third_colour, role_again. */
export interface DraftWarning {
  what: string;
  accounts: number[];
}

/** A square of the first arm, as SVG draws it. */
export interface DrawnSquare {
  column: number;
  y: number;
  tag: string;
  attributes: Record<string, string>;
}

/** A round as it would be played: the steps of its five registers, the last with the round's end. */
export interface Driven {
  registers: StepShape[][];
  swap: [number, number] | null;
  robots: Record<string, DrivenRobot>;
}

/** A robot after a round; one without energy is frozen, and back a round later. */
export interface DrivenRobot {
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
  energy: number;
  laws: number;
  status: "finished" | "frozen" | "racing";
  start: Spot;
}

export interface Driving {
  boards: BoardForm[];
  robots: Record<string, RobotForm>;
  cartouches?: Record<string, ((string | number)[])[]>;
  board?: number;
  round?: number;
}

/** A table at which one plays is over. */
export interface Ended {
  type: "ended";
  table: number;
  seat: number;
  result: unknown;
}

/** A game of one's own that ended since one was here before; without a rank for its master. */
export interface EndedGame {
  table: number;
  name: string;
  game: string;
  variant: string;
  ended_at: number;
  reason: string;
  players: number;
  rank: number | null;
  tied: number;
  decided: boolean;
  rating_before: number | null;
  rating_after: number | null;
}

/** Somebody who has entered. */
export interface EntryInfo {
  account: number;
  pseudo: string;
  number: number;
  rating: number;
  waits: boolean;
  robot: string;
  team: string;
  late: boolean;
  is_here: boolean;
  out_from: number;
  away: number[];
}

export interface EntryList {
  entries: EntryInfo[];
}

/** A letter in the outbox; what is in it is its reader's business. */
export interface Errand {
  id: number;
  kind: string;
  account: number | null;
  account_name: string | null;
  to: string | null;
  subject: string | null;
  created_at: number;
  due_at: number | null;
  tries: number;
  done_at: number | null;
  error: string | null;
}

/** The body of every answer that is not a success. */
export interface ErrorAnswer {
  error: ErrorDetail;
}

/** What was wrong: a code that programs know, a sentence for a person, the parts of that sentence. */
export interface ErrorDetail {
  code: string;
  message: string;
  parts: Record<string, unknown>;
}

/** A message was refused; `request_id` is that of the refused move or words. */
export interface Failed {
  type: "error";
  error: ErrorDetail;
  id?: number | string | null;
  request_id?: string | null;
}

export interface Farewell {
  password: string;
}

/** Ways are registers of a lone robot that loses no time, from the nearest starting tile. */
export interface Figures {
  way: number;
  legs: [number, number, number];
  starts: number;
  active: number;
  conveyors: number;
  lasers: number;
  potholes: number;
  repairs: number;
  repairs_near: number;
  actions: number;
}

/** The film of a game: how many steps there are, and at which of them it stops. */
export interface Film {
  table: number;
  seat: number | null;
  total: number;
  steps: FilmStep[];
  since: number | null;
}

/** A step at which a film stops; `figures` are given where they have changed. */
export interface FilmStep {
  version: number;
  at: number;
  mark: string;
  accent: string;
  figures: Record<string, number> | null;
}

/** A finished game of somebody. */
export interface FinishedGame {
  table: number;
  game: string;
  variant: string;
  name: string;
  seat: number;
  rank: number;
  score: number | null;
  rating_before: number | null;
  rating_after: number | null;
  margin_before: number | null;
  margin_after: number | null;
  unrated: string | null;
  ended_at: number;
  opponents: Opponent[];
}

/** Finished games, newest first. */
export interface FinishedGames {
  games: FinishedGame[];
}

/** A new key, shown this once, in the paths of what it opens. */
export interface FollowKey {
  made_at: number;
  calendar: string;
  feed: string;
}

/** Since when one has a key; null without one. */
export interface FollowKeyState {
  made_at: number | null;
}

/** Who had a seat before somebody else took it over: what happened there until then is his. */
export interface FormerInfo {
  seat: number;
  name: string;
  until: number;
}

/** People whose name begins with what was searched. */
export interface FoundPlayers {
  players: Person[];
}

/** A friend, or a request one way or the other. */
export interface Friend {
  person: Person;
  status: string;
  since: number;
  here: boolean;
}

/** Friends and requests, both ways. */
export interface FriendList {
  friends: Friend[];
}

export interface FriendRequest {
  pseudo: string;
}

/** One's friends and requests, at subscription and when they change, with who is here. */
export interface Friends {
  type: "friends";
  friends: Friend[];
}

/** Which of one's friends are here. */
export interface FriendsTopic {
  topic: "friends";
}

/** The map of a variant; zones are the variant's numbers. */
export interface GameMap {
  variant: string;
  width: number;
  height: number;
  drawn: boolean;
  regions: MapRegion[];
  coasts: MapCoast[];
  outside: MapOutside[];
  lakes: string[];
  straits: string[];
  borders: MapBorder[];
  links: MapLink[];
  powers: MapPower[];
  start: MapStart;
}

export interface GameText {
  text: string;
  variant?: "alice" | "classic" | "dark" | "horde";
}

/** Every game that can be played here. */
export interface Games {
  games: Variant[];
}

export interface Gift {
  name: string;
}

export interface GivenPenalty {
  points: string;
  reason: string;
  request_id?: string | null;
}

export interface GivenResult {
  reason?: string;
  marks?: string[];
  ranks?: number[];
  scores?: number[];
  tally?: unknown;
  request_id?: string | null;
}

export interface Guest {
  pseudo: string;
}

/** How the house is. */
export interface Health {
  database: string;
  trouble: string | null;
  bus_trouble: string | null;
  version: string;
  now: number;
  connections: number;
  tables_in_memory: number;
  nodes: NodeLine[];
  counts: Counts;
}

/** Who one is, where neither a header nor a cookie could say it; may be sent again with a new token. */
export interface Hello {
  type: "hello";
  token: string;
  id?: number | string | null;
}

/** What is not said stays as it is. */
export interface Hours {
  digest_at?: number;
  quiet_from?: number;
  quiet_until?: number;
}

/** A board of the house; boards with the same `set` are made to be played together. */
export interface HouseBoard {
  name: string;
  title: Bilingual;
  about: Bilingual;
  set: string | null;
  document: BoardDocument;
  figures: Figures;
  starts: number[];
}

export interface HouseBoards {
  boards: HouseBoard[];
}

/** A game as it was read: where it begins, its moves as `e2e4` and in letters, and its tags. */
export interface Imported {
  variant: "alice" | "classic" | "dark" | "horde";
  start: string;
  moves: string[];
  sans: string[];
  tags: Record<string, string>;
}

/** Where things are. */
export interface Index {
  house: string;
  version: string;
  name: string;
  build: string;
  openapi: string;
  live: string;
  now: number;
  time_zone: string;
}

export interface Joining {
  invitation?: string | null;
  seat?: number | null;
  access_code?: number | null;
}

/** What one may do now, described as the game describes it; null for nothing. */
export interface Legal {
  table: number;
  seat: number;
  version: number;
  waiting: boolean;
  legal: unknown;
}

/** Legal orders by the zone of the unit or the region to build in; among adjustments how many, by role. */
export interface LegalOrdersAnswer {
  orders: Record<string, [number, number, number, number, number, number, number][]>;
  most: Record<string, number>;
}

export interface Letter {
  role: number;
  to: number | number[];
  text: string;
}

export interface LettersRead {
  role: number;
  other: number;
  message: number;
}

/** The way to a private table: send it to whoever shall come. */
export interface Link {
  table: number;
  invitation: string;
  path: string;
}

/** All tables of the lobby, at subscription. */
export interface Lobby {
  type: "lobby";
  tables: TableInfo[];
}

/** One table is in the lobby no longer. */
export interface LobbyGone {
  type: "lobby_gone";
  table: number;
}

/** One table of the lobby is new or has changed. */
export interface LobbyNews {
  type: "lobby_table";
  info: TableInfo;
}

/** The open and running tables that anybody may see. */
export interface LobbyTopic {
  topic: "lobby";
  game?: string | null;
}

export interface LogIn {
  name: string;
  password: string;
  label?: string;
  cookies?: boolean;
}

/** A line of the map. */
export interface MapBorder {
  kind: "land" | "sea" | "shore" | "wall";
  path: string;
}

/** One of several coasts of a region. */
export interface MapCoast {
  zone: number;
  region: number;
  code: string;
  shore: string;
  unit: [number, number];
  dislodged: [number, number];
}

/** Neighbours that do not touch on this map. */
export interface MapLink {
  zones: [number, number];
  path: string;
}

/** A name, and the lines that it is written in. */
export interface MapName {
  text: string;
  lines: string[];
}

/** Land that nobody enters. */
export interface MapOutside {
  outline: string;
  fr: MapName | null;
  en: MapName | null;
  label: [number, number] | null;
}

/** How a power looks. */
export interface MapPower {
  role: number;
  letter: string;
  fr: string;
  en: string;
  adjective_fr: string;
  adjective_en: string;
  colour: string;
  pattern: string;
}

/** A region: what it looks like, and where its pieces stand. */
export interface MapRegion {
  zone: number;
  code: string;
  kind: "coast" | "land" | "sea";
  outline: string;
  fr: MapName;
  en: MapName;
  label: [number, number];
  size: number;
  unit: [number, number];
  dislodged: [number, number];
  centre: [number, number] | null;
}

/** How a game begins on it. */
export interface MapStart {
  ownerships: Record<string, number>;
  units: Record<string, [number, number][]>;
}

/** What one has marked for oneself alone, a flag say: no event, without version, in no history. */
export interface Marked {
  type: "marked";
  table: number;
  facts: unknown[];
  patch: unknown;
}

/** A game of a match in a knockout. */
export interface MatchGame {
  board: number;
  table: number | null;
  white: number;
  points: number | null;
}

/** Two who meet until one of them has won. */
export interface MatchInfo {
  round: number;
  place: number;
  third_place: boolean;
  upper: number | null;
  lower: number | null;
  winner: number | null;
  is_bye: boolean;
  walkover: boolean;
  by_lot: boolean;
  upper_points: number;
  lower_points: number;
  games: MatchGame[];
}

/** Who one is, and by which session. */
export interface Me {
  account: number;
  pseudo: string;
  kind: string;
  role: string;
  language: string;
  session: number;
  session_kind: string;
  scopes: string[];
  acting: string | null;
}

/** Something said. */
export interface Message {
  id: number;
  channel: string;
  author: Person;
  text: string;
  at: number;
}

/** Messages, newest first, without those of people one has blocked. */
export interface Messages {
  messages: Message[];
}

export interface Move {
  action: unknown;
  request_id: string;
  epoch?: string | null;
}

/** The move is durable: the version of one's seat with it, and what it told. */
export interface MovePlayed {
  table: number;
  seat: number;
  version: number;
  duplicate: boolean;
  facts: unknown[];
}

export interface NewAbsence {
  first: string;
  last: string;
}

export interface NewBotToken {
  label: string;
  scopes?: ("chat" | "play" | "read")[];
}

export interface NewChallenge {
  game: string;
  variant: string;
  account?: number | null;
  pseudo?: string | null;
  options?: Record<string, unknown>;
  time_control?: Record<string, unknown> | null;
  rated?: boolean;
  side?: string | null;
}

/** Null: as usual, or at one table as everywhere; what is not said stays as it is. */
export interface NewChoice {
  mail?: "digest" | "now" | "off" | null;
  push?: boolean | null;
}

/** A `PushSubscription` of the browser that one is signed in with. */
export interface NewDevice {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface NewDraft {
  advancement: number;
  orders?: ((number | boolean)[])[];
  text?: string;
}

export interface NewEntry {
  account?: number | null;
  code?: string;
  team?: string;
  request_id?: string | null;
}

export interface NewNotes {
  text: string;
}

export interface NewPassword {
  email: string;
  code: string;
  password: string;
  cookies?: boolean;
}

export interface NewRole {
  role: "administrator" | "player" | "super";
}

export interface NewTable {
  game: string;
  variant: string;
  options?: Record<string, unknown>;
  access?: "invited" | "open" | "private";
  time_control?: Record<string, unknown> | null;
  rated?: boolean;
  name?: string | null;
  robots?: string[];
  seats?: number | null;
  join?: boolean;
  terms?: NewTerms;
  side?: string | null;
}

export interface NewTerms {
  mastered: boolean | null;
  description: string | null;
  anonymous: boolean | null;
  silent: boolean | null;
  manual: boolean | null;
  handed_on: boolean | null;
  fast: boolean | null;
  absences: boolean | null;
  extensions: boolean | null;
  access_code: number | null;
  reliability: number | null;
  regularity: number | null;
  performance: number | null;
}

export interface NewVisitor {
  language?: string;
  cookies?: boolean;
}

export interface NewWebhook {
  kind: "discord" | "generic";
  url: string;
  language?: "en" | "fr";
  events?: ("begun" | "moved" | "over")[];
}

/** A server process of this house. */
export interface NodeLine {
  id: string;
  started_at: number;
  seen_at: number;
  this: boolean;
}

/** Notes about a table; `at` is null while there are none. */
export interface Notebook {
  text: string;
  at: number | null;
}

/** Something to know. */
export interface Notice {
  id: number;
  kind: string;
  about: unknown;
  at: number;
  read: boolean;
}

/** The newest notices and how many are unread. */
export interface Noticed {
  type: "notice";
  notices: Notice[];
  unread: number;
}

/** Notices, newest first, and how many are unread by kind. */
export interface Notices {
  notices: Notice[];
  unread: Record<string, number>;
}

/** One's notices. */
export interface NoticesTopic {
  topic: "notices";
}

/** A message with nothing else to answer was obeyed. */
export interface Ok {
  type: "ok";
  id?: number | string | null;
}

export interface Once {
  request_id?: string | null;
}

/** Somebody with whom a game was played; `robot` is the strength of one that is none. */
export interface Opponent {
  name: string;
  robot: string | null;
  rank: number;
}

/** A game that comes with the house: its name, and its file to begin one's own with. */
export interface OurArena {
  name: string;
  text: string;
}

export interface OurArenas {
  arenas: OurArena[];
}

/** Letters, newest first. */
export interface Outbox {
  errands: Errand[];
}

/** What a finished table meant to one of its players. */
export interface Outcome {
  seat: number;
  account: number;
  name: string;
  rank: number;
  score: number | null;
  rating_before: number | null;
  rating_after: number | null;
  margin_before: number | null;
  margin_after: number | null;
  unrated: string | null;
}

/** A game of one's own: where it stands, what it waits for, what one has given. */
export interface OwnGame {
  table: number;
  name: string;
  game: string;
  variant: string;
  status: string;
  master: boolean;
  by_days: boolean;
  people: number;
  seats: number;
  waits: boolean;
  until: number | null;
  late: boolean;
  plays: string;
  moment: string;
  waiting: string[];
  others: number;
  given: number;
  owed: number;
  given_in: boolean;
  final: boolean;
  unread: number;
  latest: string;
  latest_at: number | null;
}

/** What one comes for, the game that waits for one soonest first. */
export interface OwnGames {
  games: OwnGame[];
  more: boolean;
  waiting: number;
  invitations: TableInvitation[];
  challenges: ChallengeInfo[];
  finished: EndedGame[];
  since: number;
}

/** One's own games, at subscription and when what one may know of them has changed. */
export interface OwnGamesNews {
  type: "own_games";
  own: OwnGames;
}

/** One's own games, invitations and what ended since one was here, in the words of a language. */
export interface OwnGamesTopic {
  topic: "own_games";
  language?: "en" | "fr";
}

export interface PairingAsked {
  request_id?: string | null;
}

/** A part of a sum: it is from a term, an opponent or a round. */
export interface PartInfo {
  source: string;
  points: number;
}

export interface PasswordChange {
  current: string;
  password: string;
}

/** A list of people. */
export interface People {
  people: Person[];
}

/** Anybody, as everybody may know him. */
export interface Person {
  id: number;
  pseudo: string;
  kind: string;
}

/** Is anybody there? A page says whether it is `hidden`: then letters come as if it were closed. */
export interface Ping {
  type: "ping";
  hidden?: boolean | null;
  id?: number | string | null;
}

export interface PlaceForm {
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
}

/** A country or a time zone with its names. */
export interface PlaceName {
  code: string;
  fr: string;
  en: string;
}

/** A list to choose from, in the order in which to show it. */
export interface Places {
  places: PlaceName[];
}

/** All that organisers choose. `faults` says what does not fit together. */
export interface Plan {
  name: string;
  game: string;
  variant: string;
  format: "boards" | "knockout" | "round_robin" | "swiss";
  rounds?: number;
  description?: string;
  options?: unknown;
  time_control?: unknown;
  rated?: boolean;
  in_room?: boolean;
  double?: boolean;
  pairing?: "dutch" | "house";
  seats?: number;
  fill?: string;
  best_of?: number;
  third_place?: boolean;
  seeding?: "lot" | "rating";
  top_board?: boolean;
  points?: string;
  point_list?: number[];
  best?: number;
  weights?: Record<string, string>;
  ties?: string[];
  limit?: number;
  opens_at?: number;
  closes_at?: number;
  code?: string;
  timing?: "days" | "hand" | "live";
  starts?: number[];
  pause?: number;
  review?: number | null;
  no_show?: number;
  check_in?: number | null;
  round_days?: number;
  concurrent?: boolean;
  rating?: number;
  robots?: string[];
  apart?: [number, number][];
  team_best?: number;
  prize_places?: number;
  prize_roles?: boolean;
  seed?: number;
}

/** A move. Sent again with the same `request_id` it is answered again, and never played twice. */
export interface Play {
  type: "play";
  table: number;
  action: unknown;
  request_id: string;
  epoch?: string | null;
  id?: number | string | null;
}

/** The move is durable; `version` is the seat's own, with this move in it. */
export interface Played {
  type: "played";
  table: number;
  request_id: string;
  version: number;
  duplicate: boolean;
  id?: number | string | null;
}

/** A phase that was resolved; `destroyed` are `[role, kind, zone]` of units that had no say in it. */
export interface PlayedShape {
  advancement: number;
  before: SituationShape;
  verdicts: VerdictShape[];
  destroyed: [number, number, number][];
}

/** One position on the curve. */
export interface Point {
  score: number;
  wins_in: number | null;
}

/** The answer to `ping`, with the house's clock. */
export interface Pong {
  type: "pong";
  now: number;
  id?: number | string | null;
}

export interface PositionQuery {
  start: string;
  moves?: string[];
  tried?: string;
  variant?: "alice" | "classic" | "dark" | "horde";
}

export interface PressRead {
  message: number;
  role?: number | null;
}

export interface PrizeInfo {
  name: string;
  free: boolean;
  accounts: number[];
  points: number | null;
}

export interface PrizeList {
  prizes: PrizeInfo[];
  people: Record<string, string>;
}

export interface Problem {
  advancement: number;
  situation: SituationForm;
  orders: ([number, number, number, number, number, boolean | number, number])[];
  choices?: "AFJD" | "DATC";
  language?: "en" | "fr" | null;
}

/** The public facts about somebody. */
export interface Profile {
  id: number;
  pseudo: string;
  kind: string;
  role: string;
  country: string;
  created_at: number;
  seen_at: number | null;
  here: boolean;
  standings: Standing[];
  conduct: ConductShape | null;
}

/** What a browser needs to ask for push messages, and those of one's own that have. */
export interface Push {
  key: string;
  devices: DeviceInfo[];
}

export interface PutIn {
  pseudo: string;
  seat?: number | null;
  role?: number | null;
}

/** One's place in the queue. */
export interface QueueStatus {
  waiting: boolean;
  game: string | null;
  variant: string | null;
  since: number | null;
  table: number | null;
  others: number;
  time_control: unknown;
  rated: boolean | null;
  side: string | null;
}

/** One's place in the queue for an opponent. */
export interface QueueTopic {
  topic: "queue";
}

export interface QueueWish {
  game: string;
  variant: string;
  options?: Record<string, unknown>;
  time_control?: Record<string, unknown> | null;
  players?: number;
  rated?: boolean;
  side?: string | null;
}

/** One's place in the queue; `table` once an opponent is found. */
export interface Queued {
  type: "queue";
  queue: QueueStatus;
}

/** One line of a ranking; who is equal shares a rank. */
export interface RankLine {
  rank: number;
  account: number;
  pseudo: string;
  rating: number;
  margin: number;
  rated: number;
  provisional: boolean;
  played: number;
  won: number;
  lost: number;
  drawn: number;
  points: number;
}

/** A part of a ranking, the best first. */
export interface Ranking {
  game: string;
  variant: string | null;
  offset: number;
  total: number;
  lines: RankLine[];
  mine: RankLine | null;
}

/** The rating after one game. */
export interface RatingPoint {
  at: number;
  table: number;
  rating: number;
  margin: number | null;
}

/** One order as it was written, and what it means: `order` is null where it means none. */
export interface ReadLine {
  text: string;
  order: [number, number, number, number, number, number, number] | null;
  fault: string | null;
}

export interface ReadUpTo {
  message: number;
}

export interface Reading {
  advancement: number;
  situation: SituationForm;
  text: string;
  role?: number | null;
  language?: "en" | "fr" | null;
}

/** A text, order by order. */
export interface ReadingAnswer {
  lines: ReadLine[];
}

/** Why an order may not be given: a key of the game's words under `reason`, and its parts. */
export interface ReasonShape {
  code: string;
  parts: Record<string, number>;
}

export interface Recovery {
  email: string;
}

export interface Refresh {
  refresh?: string | null;
}

export interface Replacement {
  seat: number;
  robot?: string | null;
  invitation?: string | null;
  access_code?: number | null;
}

/** A line of a report; `verdict` counts from 0, and is null for a heading or who owns which centres. */
export interface ReportLineShape {
  role: number;
  text: string;
  verdict: number | null;
}

/** What comes of a phase, told, and the next phase in which somebody has something to order. */
export interface Resolved {
  played: PlayedShape;
  explanations: string[];
  report: string;
  lines: ReportLineShape[];
  after: SituationShape;
  situation: SituationShape;
  advancement: number;
  passed: number[];
  owing: number[];
}

/** How a game ended, and what it meant to each player. */
export interface Results {
  table: number;
  status: string;
  result: unknown;
  outcomes: Outcome[];
}

export interface Resume {
  as?: "seat" | "spectator" | null;
  invitation?: string | null;
  step: number;
  seat: number;
  robot?: string | null;
}

/** A game looked through. */
export interface Review {
  judge: string;
  is_weak: boolean;
  unaided: number;
  curve: Point[];
  slips: Slip[];
  accuracy: Record<string, number>;
}

export interface ReviewQuery {
  invitation?: string | null;
}

/** How far a finished game has been looked through, and what was found. */
export interface ReviewStatus {
  status: "done" | "failed" | "none" | "running" | "waiting";
  done: number;
  total: number;
  review: Review | null;
}

export interface Robot {
  strength: string;
  seat?: number | null;
}

/** A robot between two rounds. Without a `start` it comes back where it stands. */
export interface RobotForm {
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
  energy: number;
  laws: number;
  start: PlaceForm | null;
  status: "finished" | "frozen" | "left" | "racing";
}

export interface RoundAbsence {
  away: boolean;
  half?: boolean;
  request_id?: string | null;
}

export interface RoundDraft {
  version: number;
  boards: number[][];
  byes?: number[];
  absent?: number[];
  request_id?: string | null;
}

export interface RoundInfo {
  round: number;
  attempt: number;
  published_at: number;
  boards: BoardInfo[];
  byes: number[];
  absent: number[];
}

export interface RoundList {
  rounds: RoundInfo[];
  people: Record<string, string>;
}

export interface RoundPublication {
  version: number;
  request_id?: string | null;
}

/** Somebody said something in a channel one listens to. */
export interface Said {
  type: "message";
  message: Message;
}

/** Say something in `global`, `table:12` or `private:7`; with a `request_id` only once. */
export interface Say {
  type: "say";
  channel: string;
  text: string;
  invitation?: string | null;
  request_id?: string | null;
  id?: number | string | null;
}

export interface Saying {
  text: string;
  request_id?: string | null;
}

/** A step of a game; `number` counts from 1 and never changes. */
export interface SeasonInfo {
  number: number;
  kind: "adjudicated" | "passed" | "set" | "undone";
  advancement: number;
  year: number;
  season: number;
  name: string;
  at: number;
  taken_back: boolean;
}

/** One season: what was ordered, what became of it and why, the position before and after. */
export interface SeasonTold {
  table: number;
  variant: string;
  choices: "AFJD" | "DATC";
  info: SeasonInfo;
  played: PlayedShape;
  after: SituationShape;
  explanations: string[];
  report: string;
  lines: ReportLineShape[];
}

/** The seasons of a game, the oldest first, and its centres through the years from the start on. */
export interface Seasons {
  table: number;
  variant: string;
  choices: "AFJD" | "DATC";
  seasons: SeasonInfo[];
  centres: CentreYear[];
}

/** How far one may rely on who sits in a seat. */
export interface SeatConduct {
  reliability: number;
  regularity: number;
}

/** How somebody fared in one seat. */
export interface SeatCount {
  seat: number;
  played: number;
  won: number;
  lost: number;
  drawn: number;
}

/** A seat and who has it. */
export interface SeatInfo {
  seat: number;
  account: number;
  name: string;
  kind: string;
  robot: string | null;
  here: boolean;
  left: boolean;
  rating: number | null;
  provisional: boolean;
}

export interface Seeds {
  accounts: number[];
  request_id?: string | null;
}

/** One sign-in. */
export interface SessionInfo {
  id: number;
  kind: string;
  label: string;
  created_at: number;
  used_at: number;
  expires_at: number;
  address: string;
  scopes: string[];
  this: boolean;
}

/** Sessions, the last used first. */
export interface SessionList {
  sessions: SessionInfo[];
}

/** How somebody fared on one side: with White, say. */
export interface SideCount {
  side: string;
  played: number;
  won: number;
  lost: number;
  drawn: number;
}

export interface SignUp {
  pseudo: string;
  password: string;
  email?: string | null;
  first_name?: string;
  family_name?: string;
  telephone?: string;
  country?: string;
  time_zone?: string;
  language?: string;
  label?: string;
  cookies?: boolean;
}

/** Who one is now. The tokens are null where they went into cookies. */
export interface SignedIn {
  account: number;
  pseudo: string;
  kind: string;
  session: number;
  access: string | null;
  access_until: number;
  refresh: string | null;
  expires_at: number;
}

export interface Situated {
  advancement: number;
  situation: SituationForm;
  role?: number | null;
}

/** A position, as the services write it: numbers of centres and roles are the keys, as texts. */
export interface SituationForm {
  ownerships: Record<string, number>;
  units: Record<string, [number, number][]>;
  dislodged_ones: Record<string, [number, number, number][]>;
  fake_units: Record<string, [number, number][]>;
  forbiddens: number[];
}

/** The same on its way out. */
export interface SituationShape {
  ownerships: Record<string, number>;
  units: Record<string, [number, number][]>;
  dislodged_ones: Record<string, [number, number, number][]>;
  fake_units: Record<string, [number, number][]>;
  forbiddens: number[];
}

/** A move that cost something, and what would have been better. */
export interface Slip {
  ply: number;
  san: string;
  kind: "blunder" | "inaccuracy" | "mistake";
  lost: number;
  better: string[];
}

/** What people wait for in the queue; who they are is not said. */
export interface Sought {
  game: string;
  variant: string;
  time_control: unknown;
  players: number;
  rated: boolean | null;
  options: unknown;
  waiting: number;
}

/** Whom one could meet at once, the longest waiting first. */
export interface SoughtList {
  sought: Sought[];
}

/** What was said, newest first, with how far one has read: by role of the correspondent, or `press`. */
export interface SpokenList {
  spoken: SpokenShape[];
  unread: Record<string, number>;
  read_up_to: Record<string, number>;
}

/** Something was said in a role, at a table one listens to, to all or to a role of one's own. */
export interface SpokenNews {
  type: "spoken";
  table: number;
  spoken: SpokenShape;
}

/** A declaration, or with `to` a letter; `addressees` are all to whom the same letter went. */
export interface SpokenShape {
  id: number;
  at: number;
  author: number;
  to: number | null;
  addressees: number[];
  text: string;
}

/** Where a robot stands or would stand, and which way it looks. */
export interface Spot {
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
}

/** Whether the candidate was asked now; a vote may not be enough yet. */
export interface StandInAsked {
  asked: boolean;
}

/** Where somebody stands in one variant. */
export interface Standing {
  game: string;
  variant: string;
  rating: number;
  margin: number;
  rated: number;
  provisional: boolean;
  played: number;
  won: number;
  lost: number;
  drawn: number;
  points: number;
}

/** A line of the standings, with the sums of its figures. */
export interface StandingInfo {
  place: number;
  account: number;
  pseudo: string;
  points: number;
  exact: string;
  rounds: CountedInfo[];
  penalties: PartInfo[];
  ties: TieInfo[];
}

export interface Standings {
  round: number;
  lines: StandingInfo[];
}

/** The position that a variant begins with, and the year of its first phase. */
export interface Start {
  year: number;
  advancement: number;
  situation: SituationShape;
}

/** How somebody fares in one variant: by seat, and the rating over time. */
export interface Statistics {
  game: string;
  variant: string;
  by_seat: SeatCount[];
  by_side: SideCount[];
  ratings: RatingPoint[];
}

/** One event: what it told, and the JSON merge patch that it made to the view. */
export interface Step {
  version: number;
  at: number;
  facts: unknown[];
  patch: unknown;
}

/** One thing that happened to a robot, and how it is after it; `group`s happen at the same time. */
export interface StepShape {
  stage: "consequences" | "conveyors" | "end" | "lasers" | "pushers" | "robots" | "turntables";
  seat: number;
  code: string;
  x: number;
  y: number;
  azimuth: "East" | "North" | "South" | "West";
  energy: number;
  group: number;
  beam: [number, number] | null;
}

/** Steps in order; `view` is the view before the first of them, to which the patches are applied. */
export interface Steps {
  table: number;
  seat: number | null;
  view: unknown;
  steps: Step[];
  more: boolean;
}

/** Listen to a topic; the same topic again begins anew. */
export interface Subscribe {
  type: "subscribe";
  to: TableTopic | LobbyTopic | ChatTopic | FriendsTopic | NoticesTopic | QueueTopic | ChallengesTopic | OwnGamesTopic | TurnsTopic | TournamentTopic;
  id?: number | string | null;
}

/** One of the two goes on in the seat. */
export interface Substitution {
  seat: number;
  account?: number | null;
  robot?: string;
  for_paired?: boolean;
  reason?: string;
  request_id?: string | null;
}

/** Five registers; all are empty where there is no way to the next law. */
export interface Suggested {
  cartouche: string[][];
}

export interface TableChange {
  name?: string | null;
  variant?: string | null;
  options?: Record<string, unknown>;
  rated?: boolean | null;
  terms?: NewTerms;
}

/** By seat, of members who have owed something by a date; of an anonymous table nothing. */
export interface TableConduct {
  seats: Record<string, SeatConduct>;
}

/** One may no longer listen to this table. */
export interface TableGone {
  type: "gone";
  table: number;
}

/** All about a table but its game position. */
export interface TableInfo {
  id: number;
  name: string;
  game: string;
  variant: string;
  door: string;
  status: string;
  access: string;
  host: number | null;
  host_name: string | null;
  master: number | null;
  options: unknown;
  time_control: unknown;
  by_days: boolean;
  rated: boolean;
  unrated: string | null;
  seats_least: number;
  seats_most: number;
  seats: SeatInfo[];
  spectators: number;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  result: unknown;
  terms: TermsInfo;
  my_seat: number | null;
  invitation: string | null;
  former: FormerInfo[];
}

/** A table to which one is invited; with a `seat` one where one is asked to go on for somebody. */
export interface TableInvitation {
  table: number;
  name: string;
  game: string;
  variant: string;
  by: string;
  seat: number | null;
  has_code: boolean;
  by_days: boolean;
  people: number;
  seats: number;
}

/** Tables: of the lobby in its order, of one person the newest first. */
export interface TableList {
  tables: TableInfo[];
}

/** Who sits where, who is here, the status and the result of a table one listens to. */
export interface TableNews {
  type: "info";
  info: TableInfo;
}

/** A table, from the seat one has there or as a spectator; with `since`, only what is newer. */
export interface TableTopic {
  topic: "table";
  table: number;
  as?: "seat" | "spectator" | null;
  since?: number | null;
  invitation?: string | null;
  epoch?: string | null;
}

export interface TakenPoints {
  account: number;
  points: string;
  reason: string;
}

export interface Taking {
  seat: number;
}

export interface TeamInfo {
  place: number;
  team: string;
  points: number;
  exact: string;
  rounds: TeamRound[];
}

export interface TeamList {
  best: number;
  teams: TeamInfo[];
  people: Record<string, string>;
}

export interface TeamRound {
  round: number;
  points: number;
  accounts: number[];
}

/** On what terms a table is played; the code and the deal are for its master alone. */
export interface TermsInfo {
  mastered: boolean;
  description: string;
  anonymous: boolean;
  silent: boolean;
  manual: boolean;
  handed_on: boolean;
  fast: boolean;
  absences: boolean;
  extensions: boolean;
  has_code: boolean;
  access_code: number | null;
  reliability: number;
  regularity: number;
  performance: number;
  deal: Record<string, number> | null;
}

export interface TieInfo {
  name: string;
  value: number[];
  parts: PartInfo[];
}

export interface TileForm {
  tileType: string | number;
  tileLocX: number;
  tileLocY: number;
}

/** What one event told this seat. */
export interface Told {
  version: number;
  at: number;
  facts: unknown[];
  patch: unknown;
}

/** All that one reads before entering, and one's own part in it. */
export interface TournamentCard {
  id: number;
  name: string;
  game: string;
  variant: string;
  format: string;
  status: string;
  rounds: number;
  round: number;
  entrants: number;
  waiting: number;
  limit: number;
  organisers: Person[];
  description: string;
  plan: unknown;
  points: string;
  ties: string[];
  has_code: boolean;
  organises: boolean;
  entered: boolean;
  waits: boolean;
  draft: number;
  seq: number;
}

/** A tournament in short. */
export interface TournamentInfo {
  id: number;
  name: string;
  game: string;
  variant: string;
  format: string;
  status: string;
  rounds: number;
  round: number;
  entrants: number;
  waiting: number;
  limit: number;
  organisers: Person[];
}

export interface TournamentList {
  tournaments: TournamentInfo[];
}

/** Something that one may see of a tournament has changed: it is asked for anew over HTTP. */
export interface TournamentNews {
  type: "tournament";
  tournament: number;
  status: string;
  round: number;
  open_boards: number;
}

/** A tournament, for whoever may see it: that something in it has changed. */
export interface TournamentTopic {
  topic: "tournament";
  tournament: number;
}

/** Whether a trial has arrived; `error` says what was wrong if not. */
export interface Tried {
  arrived: boolean;
  error: string | null;
}

/** One thing that is wrong: its code, its place where it has one, and a sentence in both languages. */
export interface Trouble {
  code: string;
  x: number | null;
  y: number | null;
  fr: string;
  en: string;
  board: number;
}

/** It is one's turn: the view, what may be done, and until when. */
export interface Turn {
  type: "turn";
  table: number;
  seat: number;
  version: number;
  game: string;
  variant: string;
  view: unknown;
  legal: unknown;
  clocks?: unknown;
}

/** One's turns at every table, with what may be done: the stream of a bot. */
export interface TurnsTopic {
  topic: "turns";
}

/** A message of a channel one listens to was taken away. */
export interface Unsaid {
  type: "message_gone";
  channel: string;
  message: number;
}

/** What waits for a look of its author, the oldest first. */
export interface UnsentList {
  unsent: UnsentShape[];
}

/** What came by mail to be said in a role; without `to` it is a declaration. */
export interface UnsentShape {
  id: number;
  role: number;
  to: number[];
  text: string;
  at: number;
}

/** Listen no longer. */
export interface Unsubscribe {
  type: "unsubscribe";
  to: TableTopic | LobbyTopic | ChatTopic | FriendsTopic | NoticesTopic | QueueTopic | ChallengesTopic | OwnGamesTopic | TurnsTopic | TournamentTopic;
  id?: number | string | null;
}

/** What one event told this seat: facts to show, and a JSON merge patch (RFC 7396) of the view. */
export interface Update {
  type: "update";
  table: number;
  version: number;
  at: number;
  facts: unknown[];
  patch: unknown;
  legal?: unknown;
  waiting?: number[] | null;
  clocks?: unknown;
  abortable?: boolean;
}

/** The seats for which one may ask somebody, or was asked oneself, and who likes to take over. */
export interface Vacancies {
  seats: VacancyShape[];
  members: Person[];
}

/** A seat whose player was late twice in a row. */
export interface VacancyShape {
  seat: number;
  asked: number[];
  votes: Record<string, number>;
  needed: number;
}

/** One variant of a game, with the form of its options and its words. */
export interface Variant {
  game: string;
  variant: string;
  rules_version: number;
  seats_least: number | null;
  seats_most: number | null;
  has_clocks: boolean;
  time_controls: unknown[];
  options: unknown;
  resumes: boolean;
  keeps_secrets: boolean;
  resigns: boolean;
  robots: string[];
  sides: string[];
  words: Record<string, Record<string, string>>;
}

/** What became of an order. */
export interface VerdictShape {
  order: [number, number, number, number, number, number, number];
  outcome: "bounces" | "cut" | "disrupted" | "illegal" | "no-convoy" | "succeeds" | "void";
  marks: ("by_default" | "disbanded" | "dislodged" | "paradox")[];
  reason: ReasonShape | null;
}

/** What a seat may know: the whole `view`, or, with a recent `since`, only the `updates`. */
export interface View {
  table: number;
  seat: number | null;
  version: number;
  now: number;
  view: unknown;
  updates: Told[] | null;
  legal: unknown;
  waiting: number[];
  clocks: unknown;
}

export interface Wanted {
  seat: number;
  pseudo: string;
}

/** Webhooks, and whether one may add some. */
export interface WebhookList {
  webhooks: WebhookShape[];
  may_add: boolean;
}

/** One webhook. Of its address the machine and the end are shown, its secret never again. */
export interface WebhookShape {
  id: number;
  table: number | null;
  table_name: string | null;
  owner: number;
  owner_name: string;
  kind: string;
  address: string;
  language: string;
  events: string[];
  added_at: number;
  sent_at: number | null;
  tries: number;
  error: string | null;
  paused_at: number | null;
}

export interface WeighedTournament {
  weight?: string;
  request_id?: string | null;
}

/** The first message, and the answer to `hello`. */
export interface Welcome {
  type: "welcome";
  account: number | null;
  pseudo: string | null;
  now: number;
  house: string;
  name: string;
  build: string;
  epoch?: string;
}

/** All that this seat may know of a table: at subscription, where `since` is too old, after a restore. */
export interface Whole {
  type: "table";
  table: number;
  seat: number | null;
  version: number;
  now: number;
  info: TableInfo;
  view: unknown;
  legal: unknown;
  waiting: number[];
  clocks?: unknown;
  epoch?: string;
  abortable?: boolean;
}

export interface WithReason {
  reason: string;
  request_id?: string | null;
}

export type AnyTopic = TableTopic | LobbyTopic | ChatTopic | FriendsTopic | NoticesTopic | QueueTopic | ChallengesTopic | OwnGamesTopic | TurnsTopic | TournamentTopic;

export type AnyFromClient = Hello | Subscribe | Unsubscribe | Play | Say | Ping;

export type AnyFromServer = Welcome | Ok | Pong | Failed | Whole | Update | Marked | TableNews | TableGone | Played | Lobby | LobbyNews | LobbyGone | Said | Unsaid | SpokenNews | Friends | Noticed | Queued | Challenged | OwnGamesNews | TournamentNews | Turn | Ended | Bye;
