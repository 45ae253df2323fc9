import type { api } from "skerry-client";
import { useEffect, useState } from "preact/hooks";
import { listen } from "../listen.js";
import type { Step } from "./playback.js";
import type { Playback } from "./usePlayback.js";

/** Points that fly from the table to a seat. Its score does not include them before they have arrived. */
export interface Flight {
  key: string;
  seat: number;
  /** The points that the event gives to the seat. Negative if the seat loses them. */
  points: number;
  /** The points that the score does not show yet. */
  left: number;
  /** The ids of the places and pieces of the event. The points come from the first one that is visible. */
  touched: readonly string[];
  /** How far beside that place the points begin, in widths of their own: the points of several seats lie side by side. */
  aside: number;
}

/** In how many parts the points of a flight are added to the score. */
const COUNTS = 5;

/** Returns the flights of an event that is being shown: one for each seat whose points change. */
export function flightsOf({ sequence, events }: Step, event: api.Event | undefined): Flight[] {
  const sums = new Map<number, number>();
  for (const { seat, points } of event?.effect?.gains ?? []) sums.set(seat, (sums.get(seat) ?? 0) + points);
  const touched = event?.effect?.touched ?? [];
  const gaining = [...sums].filter(([, points]) => points);
  return gaining.map(([seat, points], place) => {
    return { key: `${sequence} ${events} ${seat}`, seat, points, left: points, touched, aside: place - (gaining.length - 1) / 2 };
  });
}

/** Returns the flights after another part of the points of one has been added to its score. */
export function count(flights: readonly Flight[], key: string): readonly Flight[] {
  return flights.flatMap((flight) => {
    if (flight.key !== key) return [flight];
    const part = Math.sign(flight.points) * Math.ceil(Math.abs(flight.points) / COUNTS);
    return Math.abs(flight.left) > Math.abs(part) ? [{ ...flight, left: flight.left - part }] : [];
  });
}

/** Returns the flights of the events that are shown one by one, and a function that counts one of them. A click or a key ends all. */
export function useFlights({ step, latestEvent }: Playback): [readonly Flight[], (key: string) => void] {
  const [known, setKnown] = useState<Step>();
  const [flights, setFlights] = useState<readonly Flight[]>([]);
  if (step !== known) {
    setKnown(step); // before anything is drawn: the score must not include the points for a moment
    if (step && !matchMedia("(prefers-reduced-motion: reduce)").matches) setFlights([...flights, ...flightsOf(step, latestEvent)]);
  }
  const isRunning = flights.length > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    return listen(["click", "keydown", "visibilitychange"], () => setFlights([]), window, true);
  }, [isRunning]);
  return [flights, (key) => setFlights((before) => count(before, key))];
}
