import { Input, Loader } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { paletteWords } from './palette.words.ts';
import type { Choice, ChoiceGroup } from './palette-search.ts';
import { shellWords } from './shell.words.ts';

type Props = {
  typed: string;
  setTyped: (typed: string) => void;
  close: () => void;
  groups: readonly ChoiceGroup[];
  isComplete: boolean;
};

/** The field with the choices that match. The focus stays in the field, which also handles the keys for the list. */
export function PaletteList({ typed, setTyped, close, groups, isComplete }: Props) {
  const words = useWords(shellWords);
  const palette = useWords(paletteWords);
  const listId = useId();
  const all = groups.flatMap(({ choices }) => choices);
  const take = (choice: Choice) => {
    close();
    choice.choose();
  };
  const { at, onKeyDown, restart } = useKeys(all, isComplete, take);
  return (
    <>
      <Input
        size="lg"
        variant="unstyled"
        className="palette-field"
        leftSection={<IconSearch size={18} />}
        rightSection={isComplete ? null : <Loader size={16} role="status" aria-label={palette.searching} />}
        placeholder={words.search}
        aria-label={words.search}
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={all[at] && `${listId}-${at}`}
        data-autofocus
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          restart();
        }}
        onKeyDown={onKeyDown}
      />
      <Hits listId={listId} groups={groups} selected={at} take={take} />
      {all.length === 0 && (
        <p className="palette-empty" role="status">
          {isComplete ? palette.nothingFound : palette.searching}
        </p>
      )}
    </>
  );
}

/**
 * Handles the keys. Enter takes the selected choice, which is the first one unless the user has moved the selection. If
 * some answers have not arrived yet, Enter waits for them, because they can change which choice is the first.
 */
function useKeys(all: readonly Choice[], isComplete: boolean, take: (choice: Choice) => void) {
  const [moved, setMoved] = useState<string | null>(null);
  const [isEntered, setEntered] = useState(false);
  const found = all.findIndex(({ id }) => id === moved);
  const at = Math.max(0, found);
  const selected = all[at];
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the last answer has come
  useEffect(() => {
    if (!isEntered || !isComplete) return;
    setEntered(false);
    if (selected) take(selected);
  }, [isEntered, isComplete]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Enter also ends the composition of a character.
    if ((step === undefined && event.key !== 'Enter') || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (step !== undefined) setMoved(all[(at + step + all.length) % all.length]?.id ?? null);
    else if (found >= 0 && selected) take(selected);
    else setEntered(true);
  };
  const restart = () => {
    setMoved(null);
    setEntered(false);
  };
  return { at, onKeyDown, restart };
}

type HitsProps = {
  listId: string;
  groups: readonly ChoiceGroup[];
  /** Counted over all groups. */
  selected: number;
  take: (choice: Choice) => void;
};

function Hits({ listId, groups, selected, take }: HitsProps) {
  const words = useWords(paletteWords);
  useEffect(() => {
    document.getElementById(`${listId}-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, selected]);
  let next = 0;
  return (
    <div id={listId} role="listbox" aria-label={words.results} className="palette-hits">
      {groups.map(({ heading, choices }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
        <div key={heading} role="group" aria-label={heading}>
          <div className="palette-heading" aria-hidden>
            {heading}
          </div>
          {choices.map((choice) => {
            const index = next++;
            return (
              <Hit
                key={choice.id}
                id={`${listId}-${index}`}
                choice={choice}
                isSelected={index === selected}
                take={() => take(choice)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

type HitProps = { id: string; choice: Choice; isSelected: boolean; take: () => void };

function Hit({ id, choice: { label, description, icon: Icon }, isSelected, take }: HitProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the field, which has the keys
    <div id={id} role="option" tabIndex={-1} aria-selected={isSelected} className="palette-hit" onClick={take}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span>{label}</span>
      {description && <small>{description}</small>}
    </div>
  );
}
