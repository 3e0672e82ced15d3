import {
  dataSchema,
  type EventType,
  envelopeSchema,
  eventCatalogue,
  eventTypes,
  namesOf,
  type WebhookFormat,
  webhookFormats,
} from '@bottega/contract';
import { capitalised } from './resources.ts';
import { asSentence, type Schema, type TypeWriter } from './schema-types.ts';

/** The body of every event in each format, discriminated by its name. */
export function eventTypesOf(types: TypeWriter): string {
  return webhookFormats.map((format) => eventsOf(format, types)).join('\n\n');
}

function eventsOf(format: WebhookFormat, types: TypeWriter): string {
  const byName = new Map<string, EventType[]>();
  for (const type of eventTypes) {
    for (const name of namesOf(type)) byName.set(name, [...(byName.get(name) ?? []), type]);
  }
  const lines = [...byName].map(([name, happened]) => {
    const data = happened.map((type) =>
      types.declare(dataName(type, format), dataSchema(type, format) as Schema, 'output'),
    );
    const about = happened.map((type) => asSentence(eventCatalogue[type].description)).join(' ');
    return `/** ${about} */\n'${name}': ${data.join(' | ')};`;
  });
  const title = `${capitalised(format)}Event`;
  return `/** \`data\` of the format ${format}, by the name of the event. */
export interface ${title}Data {\n${lines.join('\n')}\n}
/** An event in the format ${format}. */
export type ${title} = { [Name in keyof ${title}Data]: ${envelopeOf(format, types)} }[keyof ${title}Data];`;
}

/** The contract's own envelope, with the name and the data as parameters. */
function envelopeOf(format: WebhookFormat, types: TypeWriter): string {
  const envelope = envelopeSchema(format, ['Name'], { const: 'Data' } as never) as Schema;
  const title = `${capitalised(format)}Event`;
  return types.typeOf(envelope, 'output').replace('"Name"', 'Name').replace('"Data"', `${title}Data[Name]`);
}

const dataName = (type: EventType, format: WebhookFormat): string =>
  `${type.split(/[._]/).map(capitalised).join('')}${capitalised(format)}Data`;
