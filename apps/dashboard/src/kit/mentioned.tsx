import './mentioned.css';
import { mentionPattern } from '@bottega/contract';
import type { ReactNode } from 'react';

/** Highlights the mentions in a text. Only their spelling counts, so this does not reveal who has an account. */
export function withMentions(text: string): ReactNode {
  const parts = text.split(mentionPattern);
  if (parts.length === 1) return text;
  // Every second part is a name, which the pattern captures.
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
      <span key={index} className="mention">
        @{part}
      </span>
    ),
  );
}
