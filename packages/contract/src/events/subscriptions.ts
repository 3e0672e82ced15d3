import { type EventType, eventTypes, namesOf, ownNameOf } from './catalogue.ts';
import type { WebhookFormat } from './formats.ts';

/** Sent by the test endpoint. Nothing that happens has this name, so that to subscribe to it is harmless. */
export const pingName = 'test.ping';

const namesByType = new Map(eventTypes.map((type) => [type, namesOf(type)]));
const allNames = new Set([pingName, ...[...namesByType.values()].flat()]);

/** What a subscription may name: an event in any taxonomy, everything, or all that begins so. */
export function isSubscribable(name: string): boolean {
  return name === '*' || allNames.has(name) || (isBeginning(name) && [...allNames].some(beginsAs(name)));
}

/**
 * The name under which the event arrives, null where it is not subscribed to. Of several entries that match the first
 * one decides: a name as it stands, a wildcard by the format's own name or, where that one begins in another way, by the
 * name that made it match.
 */
export function deliveredName(type: EventType, format: WebhookFormat, subscribed: readonly string[]): string | null {
  const names = namesByType.get(type) ?? [];
  const first = subscribed.find((entry) => matches(entry, names));
  if (first === undefined) return null;
  if (names.includes(first)) return first;
  const own = ownNameOf(type, format);
  return matches(first, [own]) ? own : (names.find((name) => matches(first, [name])) ?? own);
}

/** Every type of stored events that the subscription matches. */
export function typesOf(subscribed: readonly string[]): EventType[] {
  return eventTypes.filter((type) => subscribed.some((entry) => matches(entry, namesByType.get(type) ?? [])));
}

function matches(entry: string, names: readonly string[]): boolean {
  return entry === '*' || names.includes(entry) || (isBeginning(entry) && names.some(beginsAs(entry)));
}

const isBeginning = (entry: string): boolean => entry.length > 2 && entry.endsWith('.*');
const beginsAs = (entry: string) => (name: string) => name.startsWith(entry.slice(0, -1));
