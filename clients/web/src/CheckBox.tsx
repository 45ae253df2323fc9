import type { ComponentChildren, JSX } from "preact";

interface CheckBoxProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  /** The key that changes it. */
  shortcut?: string;
  /** What it says. */
  children: ComponentChildren;
}

/** A check box with its text. */
export function CheckBox({ isChecked, onChange, shortcut, children }: CheckBoxProps): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={isChecked} aria-keyshortcuts={shortcut} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {children}
    </label>
  );
}
