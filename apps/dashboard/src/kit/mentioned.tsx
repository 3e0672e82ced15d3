import './mentioned.css';
import { mentionPattern } from '@bottega/contract';
import type { ReactNode } from 'react';

/** A text whose mentions stand out. It depends on their spelling alone, so it does not tell who has an account. */
export function withMentions(text: string): ReactNode {
  const parts = text.split(mentionPattern);
  if (parts.length === 1) return text;
  // Every second part is what the pattern captures: a name.
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
