import type { TObject, TSchema } from 'typebox';
import { type EventType, eventCatalogue } from './catalogue.ts';
import type { CataloguedEvent, FieldNames } from './family.ts';
import { exactly, orNull, text } from './fields.ts';
import type { WebhookFormat } from './formats.ts';

type Data = Record<string, unknown>;
type ProjectOwnerName = { id: string; name: string | null };

/**
 * The `data` of the event in that format. Only the format core contains the project's owner in every event of a
 * project.
 */
export function shapeData(type: EventType, format: WebhookFormat, data: Data, owner: ProjectOwnerName): Data {
  if (format === 'reference') return data;
  const event = eventCatalogue[type];
  return arrange<unknown>(event, format, data, {
    owner: event.subject === 'project' ? nameOf(data.owner) : owner,
    nest: (fields) => fields,
  });
}

export function dataSchema(type: EventType, format: WebhookFormat): TObject {
  const event: CataloguedEvent = eventCatalogue[type];
  if (format === 'reference') return event.data;
  return exactly(arrange<TSchema>(event, format, event.data.properties, { owner: OwnerName, nest: exactly }));
}

const OwnerName = exactly({ id: text, name: orNull(text) });

function nameOf(owner: unknown): ProjectOwnerName {
  const { id, name } = owner as ProjectOwnerName;
  return { id, name };
}

type Fields<Value> = Record<string, Value>;
type Arranging<Value> = { owner: Value; nest: (fields: Fields<Value>) => Value };
type Shape = Pick<CataloguedEvent, 'subject' | 'fieldNames' | 'inGuide'>;

/** One rule for the values of an event and for their schemas. `nest` creates an object of either. */
function arrange<Value>(
  { subject, fieldNames, inGuide = {} }: Shape,
  format: 'core' | 'guide',
  fields: Fields<Value>,
  { owner, nest }: Arranging<Value>,
): Fields<Value> {
  if (format === 'guide') {
    return { object: nest(only(renamed(fields, inGuide.fieldNames ?? fieldNames), inGuide.only)) };
  }
  if (subject === 'project') return { project: nest({ ...renamed(fields, fieldNames), owner }) };
  const { project_id: id, project_name: name, ...rest } = fields;
  const nested = { [subject]: nest(renamed(rest, fieldNames)) };
  return id === undefined || name === undefined ? nested : { project: nest({ id, name, owner }), ...nested };
}

function renamed<Value>(fields: Fields<Value>, names: FieldNames): Fields<Value> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));
}

function only<Value>(fields: Fields<Value>, names: readonly string[] | undefined): Fields<Value> {
  if (!names) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}
