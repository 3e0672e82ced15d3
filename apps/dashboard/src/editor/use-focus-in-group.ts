import { type RefObject, useEffect, useRef } from 'react';

/** Moves the keyboard's focus to the text of the focused group each time that `asked` increases. */
export function useFocusInGroup(asked: number): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const seen = useRef(asked);
  useEffect(() => {
    if (seen.current === asked) return;
    seen.current = asked;
    const group = box.current?.querySelector<HTMLElement>('.desk-group:not([data-unfocused])');
    const texts = [...(group?.querySelectorAll<HTMLElement>('.cm-content') ?? [])];
    // If the file has no text, such as a picture, the group itself gets the focus.
    (texts.find((text) => text.checkVisibility()) ?? group)?.focus();
  }, [asked]);
  return box;
}
