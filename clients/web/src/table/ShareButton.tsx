import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isSeat } from "../session/followed.js";
import { language } from "../texts/language.js";
import { t } from "../texts/texts.js";

interface ShareButtonProps {
  session: api.Session;
  handle: Seat | Table | undefined;
  /** The title of the game. */
  title: string;
}

/** Shares the link of a table, with a picture of it where the device can share files. Elsewhere it copies the link. */
export function ShareButton({ session, handle, title }: ShareButtonProps): JSX.Element {
  const [note, setNote] = useState("");
  const share = async (): Promise<void> => {
    const url = `${location.origin}/${session.name}?language=${language()}`;
    setNote("");
    try {
      if (typeof navigator.share !== "function") {
        await navigator.clipboard.writeText(url);
        return setNote(t("share-copied"));
      }
      const files = await pictureOf(session, handle);
      const data = { title: `${title} – Skerry`, url };
      await navigator.share(navigator.canShare?.({ files }) ? { ...data, files } : data);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) setNote(t("share-copy", { url }));
    }
  };
  return (
    <>
      <button class="button" onClick={() => void share()}>
        {t("share")}
      </button>
      <span class="soft small" role="status">
        {note}
      </span>
    </>
  );
}

/** How long the picture may take, in milliseconds. Browsers share only shortly after a click. */
const PICTURE_MS = 2000;

/** Returns the picture of a table as everyone may see it, as far as the server draws PNG. It is never what a seat alone sees. */
async function pictureOf({ name }: api.Session, handle: Seat | Table | undefined): Promise<File[]> {
  const sequence = isSeat(handle) ? handle.lastPosition?.sequence : undefined;
  const query = new URLSearchParams({ width: "1000", language: language(), ...(sequence && { sequence }) });
  try {
    const response = await fetch(`/v1/${name}/picture.png?${query}`, { signal: AbortSignal.timeout(PICTURE_MS) });
    return response.ok ? [new File([await response.blob()], "table.png", { type: "image/png" })] : [];
  } catch {
    return [];
  }
}
