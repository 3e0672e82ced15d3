import { type EventType, eventTypes, namesOf, ownNameOf } from './catalogue.ts';
import type { WebhookFormat } from './formats.ts';

/** The name that the test endpoint sends. No event has this name, so subscribing to it has no effect. */
export const pingName = 'test.ping';

const namesByType = new Map(eventTypes.map((type) => [type, namesOf(type)]));
const allNames = new Set([pingName, ...[...namesByType.values()].flat()]);

/** Whether a name can be subscribed to: an event in any taxonomy, everything, or a prefix. */
export function isSubscribable(name: string): boolean {
  return name === '*' || allNames.has(name) || (isBeginning(name) && [...allNames].some(beginsAs(name)));
}

/**
 * The name under which the event arrives. Null if it is not subscribed to. If several entries match, the first decides.
 * An exact name is used unchanged. A wildcard results in the format's own name or, if that has another prefix, in the
 * name that matched.
 */
export function deliveredName(type: EventType, format: WebhookFormat, subscribed: readonly string[]): string | null {
  const names = namesByType.get(type) ?? [];
  const first = subscribed.find((entry) => matches(entry, names));
  if (first === undefined) return null;
  if (names.includes(first)) return first;
  const own = ownNameOf(type, format);
  return matches(first, [own]) ? own : (names.find((name) => matches(first, [name])) ?? own);
}

/** Every stored event type that the subscription matches. */
export function typesOf(subscribed: readonly string[]): EventType[] {
  return eventTypes.filter((type) => subscribed.some((entry) => matches(entry, namesByType.get(type) ?? [])));
}

function matches(entry: string, names: readonly string[]): boolean {
  return entry === '*' || names.includes(entry) || (isBeginning(entry) && names.some(beginsAs(entry)));
}

const isBeginning = (entry: string): boolean => entry.length > 2 && entry.endsWith('.*');
const beginsAs = (entry: string) => (name: string) => name.startsWith(entry.slice(0, -1));
