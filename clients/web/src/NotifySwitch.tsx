import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CheckBox } from "./CheckBox.js";
import { askToNotify, canNotify } from "./notifications.js";
import { useSetting } from "./settings.js";
import { t } from "./texts/texts.js";

/** The switch for notifications. The browser asks for its permission when it is switched on, never before. */
export function NotifySwitch(): JSX.Element | null {
  const [isOn, setOn] = useSetting("notify");
  const [isDenied, setDenied] = useState(false);
  if (!canNotify() && !isDenied) return null;
  const change = async (wanted: boolean): Promise<void> => {
    const isAllowed = wanted && (await askToNotify());
    setDenied(wanted && !isAllowed);
    setOn(isAllowed);
  };
  return (
    <>
      <CheckBox isChecked={isOn} onChange={change}>
        {t("notify")}
      </CheckBox>
      {isDenied && <p class="soft small">{t("notify-blocked")}</p>}
    </>
  );
}
