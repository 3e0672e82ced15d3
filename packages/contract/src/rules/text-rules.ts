import { webhookFormats } from '../events/formats.ts';
import { isSubscribable } from '../events/subscriptions.ts';
import { whyNotBranch } from './branch-names.ts';
import { absolutePath, whyNotDirectory, whyNotPath } from './paths.ts';

/** Returns what is wrong with a text, or null. */
export type TextRule = (text: string) => string | null;

/**
 * Rules that no pattern can express. A schema refers to one as its `format`. So the validator applies it together with
 * the rest of the schema, in every body and query.
 */
export const textRules = {
  'branch-name': whyNotBranch,
  'directory-path': whyNotDirectory,
  'event-name': whyNotEvent,
  'event-names': whyNotEvents,
  'file-path': (text) => whyNotPath(absolutePath(text)),
  'language-tag': whyNotLanguage,
} as const satisfies Record<string, TextRule>;

function whyNotEvent(name: string): string | null {
  if (isSubscribable(name)) return null;
  return `is not an event name. GET /api/webhooks/event-types lists the names in the formats ${webhookFormats.join(', ')}; * and prefixes such as project.* are also allowed`;
}

const maxNames = 100;

function whyNotEvents(list: string): string | null {
  const names = namesIn(list);
  if (names.length > maxNames) return `must have at most ${maxNames} names`;
  const unknown = names.filter((name) => !isSubscribable(name));
  if (unknown.length === 0) return null;
  return unknown.map((name) => `${JSON.stringify(name.slice(0, 100))} ${whyNotEvent(name)}`)[0] ?? null;
}

/** The names in a comma-separated query value. */
export const namesIn = (list: string): string[] => list.split(',').map((name) => name.trim());

function whyNotLanguage(tag: string): string | null {
  try {
    Intl.getCanonicalLocales(tag);
    return null;
  } catch {
    return 'must be a BCP 47 language tag such as en or pt-BR';
  }
}
