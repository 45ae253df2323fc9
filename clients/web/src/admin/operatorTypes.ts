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
