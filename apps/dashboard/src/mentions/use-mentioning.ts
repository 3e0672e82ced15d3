import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { type MentionAt, mentionAt, type Person, peopleFor, spelledOut } from './mention-at.ts';
import { usePeople } from './use-people.ts';

/**
 * Offers people while somebody types a mention into a field. The focus stays in the field, which also handles the keys
 * for the list.
 */
export function useMentioning(projectId: string | null, field: RefObject<HTMLTextAreaElement | null>) {
  const [at, setAt] = useState<MentionAt | null>(null);
  const [chosen, setChosen] = useState(0);
  /** The mention for which Escape closed the list. */
  const closed = useRef<number | null>(null);
  const people = usePeople(projectId, at !== null);
  const offered = at ? peopleFor(people, at.query) : [];

  function look(): void {
    const { value, selectionStart, selectionEnd } = field.current ?? { value: '', selectionStart: 0, selectionEnd: 1 };
    const found = selectionStart === selectionEnd ? mentionAt(value, selectionStart) : null;
    if (found?.from !== closed.current) closed.current = null;
    const next = found?.from === closed.current ? null : found;
    if (next?.from === at?.from && next?.query === at?.query) return;
    setAt(next);
    setChosen(0);
  }

  function close(): void {
    closed.current = at?.from ?? null;
    setAt(null);
  }

  function take(person: Person): void {
    if (!field.current || !at) return;
    const { to, text } = spelledOut(field.current.value, at, person);
    field.current.setRangeText(text, at.from, to, 'end');
    // Informs the form of the change, as if the text had been typed.
    field.current.dispatchEvent(new Event('input', { bubbles: true }));
    setAt(null);
  }

  /** Handles a key for the list. Returns whether the key was for it. */
  function takesKey(event: KeyboardEvent): boolean {
    if (offered.length === 0 || event.nativeEvent.isComposing) return false;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const person = offered[chosen];
    if (event.key === 'ArrowDown') setChosen((chosen + 1) % offered.length);
    else if (event.key === 'ArrowUp') setChosen((chosen + offered.length - 1) % offered.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && person) take(person);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { offered, chosen, look, take, takesKey, leave: () => setAt(null) };
}
