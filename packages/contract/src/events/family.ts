import type { Static, TObject } from 'typebox';
import type { Scope } from '../scopes.ts';
import type { WebhookFormat } from './formats.ts';

/** Fields that have another name in the formats core and guide. */
export type FieldNames = Readonly<Record<string, string>>;

/**
 * The formats core and guide have the same content as reference under other names. The subject of the event is an
 * object, and the fields of this object lose its name as their prefix.
 */
type Family = {
  /** The scope that a credential needs to receive these events. */
  scope: Scope;
  subject: string;
  fieldNames: FieldNames;
};

export type EventDefinition<Data extends TObject = TObject> = {
  description: string;
  /** The event's name in each of the three webhook taxonomies. Null if the taxonomy has no name for it. */
  names: Record<WebhookFormat, string | null>;
  /** The data as stored, and as the reference format sends it. */
  data: Data;
  /** A complete example, for the documentation and for tests with that name. */
  example: Static<Data>;
  /** Set if the guide format has other names than core, or only some of the fields. */
  inGuide?: { fieldNames?: FieldNames; only?: readonly string[] };
};

export type CataloguedEvent<Data extends TObject = TObject> = Family & EventDefinition<Data>;

type DataOf = Record<string, TObject>;

/** The events of one kind of object. The keys are the names under which they are stored. */
export function eventFamily<Types extends DataOf>(
  family: Family,
  events: { [Type in keyof Types]: EventDefinition<Types[Type]> },
): { [Type in keyof Types]: CataloguedEvent<Types[Type]> } {
  const catalogued = Object.entries(events).map(([type, event]) => [type, { ...family, ...event }]);
  return Object.fromEntries(catalogued) as { [Type in keyof Types]: CataloguedEvent<Types[Type]> };
}
