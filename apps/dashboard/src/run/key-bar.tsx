import { Button } from '@mantine/core';
import type { Terminal } from '@xterm/xterm';
import { useWords } from '../words/words.tsx';
import { runWords } from './run.words.ts';

type Props = {
  terminal: () => Terminal | undefined;
  /** Whether the next character is typed with Ctrl. */
  hasCtrl: boolean;
  setCtrl: (hasCtrl: boolean) => void;
};

/** The keys that the keyboard of a phone lacks. */
export function KeyBar({ terminal, hasCtrl, setCtrl }: Props) {
  const words = useWords(runWords);
  const press = (keys: string) => {
    terminal()?.input(keys);
    setCtrl(false);
  };
  const arrow = (letter: string) => press(`\u001b${terminal()?.modes.applicationCursorKeysMode ? 'O' : '['}${letter}`);
  const keys: [label: string, name: string, act: () => void][] = [
    ['Esc', 'Esc', () => press('\u001b')],
    ['Tab', 'Tab', () => press('\t')],
    [words.ctrl, words.ctrl, () => setCtrl(!hasCtrl)],
    ['←', words.left, () => arrow('D')],
    ['↑', words.up, () => arrow('A')],
    ['↓', words.down, () => arrow('B')],
    ['→', words.right, () => arrow('C')],
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="run-keys" role="group" aria-label={words.keys}>
      {keys.map(([label, name, act]) => (
        <Button
          key={name}
          variant={name === words.ctrl && hasCtrl ? 'light' : 'default'}
          size="compact-sm"
          aria-label={name}
          {...(name === words.ctrl && { 'aria-pressed': hasCtrl })}
          // The focus stays in the terminal, because the phone would hide its keyboard otherwise.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={act}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** What the terminal gets for a character that is typed with Ctrl. Other input stays as it is. */
export const withCtrl = (typed: string): string =>
  /^[@-_a-z]$/.test(typed) ? String.fromCharCode(typed.charCodeAt(0) & 0x1f) : typed;
