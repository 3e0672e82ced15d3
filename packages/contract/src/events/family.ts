import type { Static, TObject } from 'typebox';
import type { Scope } from '../scopes.ts';
import type { WebhookFormat } from './formats.ts';

/** Fields whose name in the formats core and guide is another one. */
export type FieldNames = Readonly<Record<string, string>>;

/**
 * The formats core and guide tell the same as reference by other names: the subject of the event is an object, whose
 * fields have lost its name as their prefix.
 */
type Family = {
  /** What a credential has to be allowed to read if it is to be told of these events. */
  scope: Scope;
  subject: string;
  fieldNames: FieldNames;
};

export type EventDefinition<Data extends TObject = TObject> = {
  description: string;
  /** The name of it in each of the three webhook taxonomies. Null: the taxonomy has no word for it. */
  names: Record<WebhookFormat, string | null>;
  /** As it is stored, and as the reference format sends it. */
  data: Data;
  /** Complete: documentation, and what a test of that name sends. */
  example: Static<Data>;
  /** Where the guide has other names than core, or only some of the fields. */
  inGuide?: { fieldNames?: FieldNames; only?: readonly string[] };
};

export type CataloguedEvent<Data extends TObject = TObject> = Family & EventDefinition<Data>;

type DataOf = Record<string, TObject>;

/** The events of one kind of thing. The keys are the names under which they are stored. */
export function eventFamily<Types extends DataOf>(
  family: Family,
  events: { [Type in keyof Types]: EventDefinition<Types[Type]> },
): { [Type in keyof Types]: CataloguedEvent<Types[Type]> } {
  const catalogued = Object.entries(events).map(([type, event]) => [type, { ...family, ...event }]);
  return Object.fromEntries(catalogued) as { [Type in keyof Types]: CataloguedEvent<Types[Type]> };
}
