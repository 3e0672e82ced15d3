import { type EventType, eventCatalogue, type WebhookFormat } from '@bottega/contract';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import type { Db } from '../../foundation/db/index.ts';
import { eventTypeList } from '../../webhooks/subscriptions/catalogue.ts';

const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
const { event_types } = eventTypeList();
const validators = new Map<object, ValidateFunction>();

/** Fails unless the catalogue has this body under the event's name. */
export function expectCatalogued(format: WebhookFormat, body: Record<string, unknown>): void {
  const name = String(format === 'guide' ? body.type : body.event);
  const candidates = event_types.filter(({ type, names }) => type === name || Object.values(names).includes(name));
  expect(candidates, `the catalogue has no ${name}`).not.toEqual([]);
  // Two events may share a name: file.uploaded is a file that was created or one that was changed.
  const errors = candidates.map((one) => errorsOf(one.formats[format].schema, body));
  expect(errors.includes(null), `${name}: ${errors.join(' | ')}`).toBe(true);
}

function errorsOf(schema: object, value: unknown): string | null {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** Expects that every stored event has the data in the catalogue. Returns their types. */
export async function expectStoredEventsCatalogued(db: Db): Promise<Set<string>> {
  const events = await db.selectFrom('events').select(['type', 'data']).execute();
  for (const { type, data } of events) {
    expect(errorsOf(eventCatalogue[type as EventType].data, data), type).toBe(null);
  }
  return new Set(events.map(({ type }) => type));
}
