/** The messages of `skerry.admin.v1` that the page reads, in JSON. int64 is a string there. */

export interface SessionSummary {
  name: string;
  game: string;
  state: string;
  visibility: string;
  seats: number;
  players: number;
  sequence: string;
  createTime?: string;
  changeTime?: string;
  labels: Record<string, string>;
  damaged: boolean;
}

export interface Seat {
  seat: number;
  occupant: string;
  displayName?: string;
  level?: string;
  away: boolean;
  substitute?: { cause: string };
}

export interface Session {
  name: string;
  game: string;
  ruleset: string;
  state: string;
  visibility: string;
  spectating: string;
  seats: Seat[];
  sequence: string;
  createTime?: string;
  labels: Record<string, string>;
  clock?: object;
  delay?: object;
  rated: boolean;
  lesson: boolean;
}

export interface InspectedSession {
  session: Session;
  sequence: string;
  changeTime?: string;
  toAct: number[];
  clocks?: { serverTimeMs: string; seats: { leftMs: string; graceMs: string; deadlineMs?: string }[] };
  streams: number;
}

export interface OperatorOverview {
  time: string;
  replicas: {
    build: string;
    answers: boolean;
    startTime?: string;
    draining: boolean;
    connections: number;
    streams: number;
    cachedSessions: number;
    name: string;
    host: string;
    processId: number;
    memoryBytes: string;
    callsPerSecond?: number;
    silentFor?: string;
    figuresMissing: boolean;
  }[];
  store: {
    roundTrip?: string;
    servers: { usedBytes: string; maxBytes: string }[];
    problems: string[];
    warnings: string[];
    sessions: string;
    overdueSessions: string;
  };
  limits: { name: string; count: string }[];
  rejected: { key: string; address: string; reason: string; count: string; lastTime: string }[];
  bots: { decisions: number; waiting: number };
  queues: { ruleset: string; tickets: number; longestWait?: string; leads: boolean; allTickets?: number }[];
  webhooks: {
    pendingSessions: string;
    endpoints: number;
    failing: { application: string; endpoint: string; origin: string; off: boolean; failingFor?: string; failure: string }[];
  };
}

export interface LadderStatus {
  ladder: { name: string; game: string; seats: number; kind: string; state: string; seasons: { season: number }[]; playing: number; waiting: number };
  leaders: { displayName: string; rating?: { value: number } }[];
  entrants: number;
  games: string;
}

export interface TournamentStatus {
  tournament: { name: string; title: string; state: string; startTime?: string; game: string; seats: number; entrants: object[]; mostEntrants: number };
  leaders: { displayName: string; points: number }[];
  gamesFinished: number;
  gamesPlaying: number;
}

export interface CompetitionOverview {
  ladders: LadderStatus[];
  tournaments: TournamentStatus[];
  moreTournaments: boolean;
  resting: { bot: string; ladder: string; rest: { reason: string; session: string; time: string }; key: string; contact: string }[];
}

export interface Ban {
  name: string;
  address?: string;
  key?: string;
  playerId?: string;
  reason: string;
  remaining: string;
  operator: string;
}

export interface AuditEntry {
  time: string;
  operator: string;
  action: string;
  resource: string;
  outcome: string;
  detail: string;
}
