import type { EventTypeList, WebhookFormat } from '@bottega/contract';

export type EventTypes = EventTypeList['event_types'];
export type EventGroup = { prefix: string; events: { name: string; descriptions: string[] }[] };

/** The name that a test sends. No event has it. */
const ping = 'test.ping';

const ownName = (type: EventTypes[number], format: WebhookFormat): string => type.formats[format].name;
const prefixOf = (name: string): string => name.split('.', 1)[0] ?? name;

/** The catalogue by the names of a format, grouped by prefix. If two events share a name, they are one entry. */
export function groupsOf(types: EventTypes, format: WebhookFormat): EventGroup[] {
  const groups = new Map<string, Map<string, string[]>>();
  for (const type of types) {
    if (type.type === ping) continue;
    const name = ownName(type, format);
    const group = groups.get(prefixOf(name)) ?? new Map<string, string[]>();
    group.set(name, [...(group.get(name) ?? []), type.description]);
    groups.set(prefixOf(name), group);
  }
  return [...groups].map(([prefix, names]) => ({
    prefix,
    events: [...names].map(([name, descriptions]) => ({ name, descriptions })),
  }));
}

/** Subscribed names that the picker does not offer: a name of another format, or a longer prefix. */
export function othersOf(chosen: readonly string[], groups: readonly EventGroup[]): string[] {
  const shown = new Set(groups.flatMap(({ prefix, events }) => [`${prefix}.*`, ...events.map(({ name }) => name)]));
  return chosen.filter((name) => name !== '*' && !shown.has(name));
}

/** A whole group replaces the names that it includes. */
export function withGroup(chosen: readonly string[], { prefix }: EventGroup, isChosen: boolean): string[] {
  const others = chosen.filter((name) => prefixOf(name) !== prefix);
  return isChosen ? [...others, `${prefix}.*`] : others;
}

export function withName(chosen: readonly string[], name: string, isChosen: boolean): string[] {
  const others = chosen.filter((one) => one !== name);
  return isChosen ? [...others, name] : others;
}

type Change = { from: WebhookFormat; to: WebhookFormat };

/** Translates the choice into the names of another format. */
export function inFormat(chosen: readonly string[], types: EventTypes, { from, to }: Change): string[] {
  const translated = chosen.flatMap((entry) => {
    if (entry === '*') return [entry];
    if (!entry.endsWith('.*')) return [translate(entry)];
    const meant = types.filter((type) => `${prefixOf(ownName(type, from))}.*` === entry);
    return meant.length === 0 ? [entry] : meant.map((type) => `${prefixOf(ownName(type, to))}.*`);
  });
  return [...new Set(translated)];

  function translate(name: string): string {
    const type = types.find((one) => ownName(one, from) === name);
    return type ? ownName(type, to) : name;
  }
}
