import { render } from "preact";
import type { JSX } from "preact";
import { Lobby } from "./lobby/Lobby.js";
import { decoded, stay, usePath } from "./router.js";
import { TablePage } from "./table/TablePage.js";
import "./style/tokens.css";
import "./style/layout.css";
import "./style/table.css";
import "./style/boards.css";

/** The page: the lobby at `/`, a table at `/sessions/{id}`. */
function Page(): JSX.Element {
  const path = usePath();
  const [, session] = /^\/(sessions\/[^/]+)\/?$/.exec(path) ?? [];
  return (
    <>
      <header class="top">
        <a href="/" class="brand" onClick={stay}>
          Skerry
        </a>
        <nav aria-label="About">
          <a href="/docs">The API</a>
        </nav>
      </header>
      {session ? <TablePage key={session} name={decoded(session)} /> : <Lobby />}
    </>
  );
}

render(<Page />, document.getElementById("page")!);
