import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  allScopes,
  ClientMessage,
  CodeChange,
  ErrorBody,
  errorCodes,
  ServerMessage,
  WriteFile,
} from '@bottega/contract';
import { contractNames } from './contract-names.ts';
import { eventTypesOf } from './events.ts';
import { allMethods } from './operations.ts';
import { referencePage } from './reference.ts';
import { interfacesOf, operationTable } from './resources.ts';
import { createTypeWriter, type Schema, type TypeWriter } from './schema-types.ts';

const sdk = join(import.meta.dirname, '..');
const head =
  '// Made of the contract by `npm run generate -w @bottega/sdk`; changes belong there. It is as long as the contract.\n';

type GeneratedFile = { path: string; text: string };

/** Every file of the package that follows from the contract. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const names = await contractNames();
  const methods = allMethods();
  const types = createTypeWriter(names);
  const interfaces = interfacesOf(methods, types);
  declareOthers(types);
  const declared = [...types.declarations()];
  const eventWriter = createTypeWriter(new Map());
  const events = eventTypesOf(eventWriter);
  const { version } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
  return Promise.all([
    source('types', declared.join('\n\n')),
    source('resources', `${importing(interfaces, declared)}\n${interfaces}`),
    source('operations', `import type { Operation } from '../operation.ts';\n\n${operationTable(methods)}`),
    source('events', [...eventWriter.declarations(), events].join('\n\n')),
    { path: join(sdk, '../../docs/sdk-reference.md'), text: referencePage(methods, types) },
    source('version', `export const version = '${version}';`),
  ]);
}

/** The types that hand-written parts use. */
function declareOthers(types: TypeWriter): void {
  types.typeOf(WriteFile as Schema, 'input');
  types.typeOf({ enum: Object.keys(errorCodes) }, 'output');
  types.typeOf({ enum: [...allScopes] }, 'output');
  types.typeOf(ErrorBody as Schema, 'output');
  types.declare('CodeChange', CodeChange as Schema, 'output');
  types.declare('ClientMessage', ClientMessage as Schema, 'input');
  types.declare('ServerMessage', ServerMessage as Schema, 'output');
}

function importing(text: string, declared: string[]): string {
  const names = declared.map((one) => /export (?:interface|type) (\w+)/.exec(one)?.[1] ?? '');
  const used = names.filter((name) => new RegExp(`[^\\w.]${name}\\b`).test(text)).sort();
  return `import type { List } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type { ${used.join(', ')} } from './types.ts';\n`;
}

async function source(name: string, text: string): Promise<GeneratedFile> {
  const path = join(sdk, 'src/generated', `${name}.ts`);
  return { path, text: await formatted(path, `${head}\n${text}\n`) };
}

const biome = join(sdk, '../../node_modules/.bin/biome');

function formatted(path: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, text: string) => (error ? reject(error) : resolve(text));
    execFile(biome, ['check', '--write', `--stdin-file-path=${path}`], done).stdin?.end(input);
  });
}
