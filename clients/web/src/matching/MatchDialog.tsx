import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import turn from "../icons/turn.svg";
import type { SearchSetup } from "../storage.js";
import { Countdown } from "../Countdown.js";
import { acceptMatch, stopSearch, useMatchSearch } from "./matchSearch.js";
import { describeSetup } from "./words.js";
import { t } from "../texts/texts.js";

/** The proposed match, on every screen: what it is, and how long the player has to accept it. */
export function MatchDialog(): JSX.Element | null {
  const search = useMatchSearch();
  if (!search || !("proposal" in search.progress)) return null;
  const { proposal, expires, state } = search.progress;
  return <Proposal key={proposal.id} {...{ proposal, expires }} setup={search.setup} hasAccepted={state === "accepted"} />;
}

interface ProposalProps {
  proposal: api.MatchProposal;
  expires: number;
  setup: SearchSetup;
  hasAccepted: boolean;
}

function Proposal({ proposal, expires, setup, hasAccepted }: ProposalProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useTabTitle(t("match-tab"));
  const others = proposal.seats - 1;
  return (
    // Escape must not decline by accident: that costs a wait.
    <dialog class="panel match" ref={dialog} aria-labelledby="match" aria-describedby="match-what" onCancel={(event) => event.preventDefault()}>
      <h2 id="match">{t("match-title")}</h2>
      <p id="match-what">
        <strong>{describeSetup({ ...setup, seats: proposal.seats })}</strong>
        <span class="soft small">{t("match-who", { others })}</span>
      </p>
      <p class="left">
        <Countdown until={expires} />
      </p>
      {hasAccepted ? (
        <p role="status">{t("match-accepted", { others })}</p>
      ) : (
        <div class="row">
          <button class="button" onClick={stopSearch}>
            {t("match-decline")}
          </button>
          <button class="button now" autofocus onClick={() => void acceptMatch()}>
            {t("match-accept")}
          </button>
        </div>
      )}
    </dialog>
  );
}

/** Shows a title and the icon for the player's turn in the browser tab. Screens below may set other titles meanwhile. */
function useTabTitle(title: string): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>("#icon")!;
    let before = [document.title, icon.href] as const;
    const set = (): void => {
      if (document.title !== title) before = [document.title, icon.href];
      [document.title, icon.href] = [title, turn];
    };
    set();
    const timer = setInterval(set, 1000);
    return () => {
      clearInterval(timer);
      if (document.title === title) [document.title, icon.href] = before;
    };
  }, [title]);
}
