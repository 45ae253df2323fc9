import { useEffect, useState } from "react";
import type { api, Seat } from "skerry-client";

/** Follows the position of a seat by one stream, which resumes by itself. Also returns why it has ended, if it has failed. */
export function usePosition(seat: Seat): [api.Position | undefined, string] {
  const [position, setPosition] = useState<api.Position>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const left = new AbortController();
    const follow = async () => {
      for await (const update of seat.observe({ signal: left.signal })) if (update.position) setPosition(update.position);
    };
    follow().catch((error) => left.signal.aborted || setProblem(String(error)));
    return () => left.abort();
  }, [seat]);
  return [position, problem];
}

/** The URL of the picture of a position. The server draws it for the seat, so it needs the token. */
export function usePicture(seat: Seat, position: api.Position | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  const sequence = position?.sequence;
  useEffect(() => {
    if (sequence === undefined) return;
    const left = new AbortController();
    const request = { headers: { Authorization: `Bearer ${seat.token}` }, signal: left.signal };
    const read = async () => {
      const response = await fetch(`/v1/${seat.name}/picture.svg?sequence=${sequence}`, request);
      if (response.ok) setUrl(URL.createObjectURL(await response.blob()));
    };
    read().catch(() => undefined); // the next position brings another picture
    return () => left.abort();
  }, [seat, sequence]);
  useEffect(() => () => URL.revokeObjectURL(url ?? ""), [url]);
  return url;
}
