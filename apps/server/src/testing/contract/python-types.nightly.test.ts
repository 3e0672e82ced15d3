import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../clients/http-client.ts';
import { describeWith } from '../parts/programs.ts';
import { createProject } from '../samples/sample-projects.ts';
import { type TestUser, useTestService } from '../service/test-service.ts';

const service = useTestService();
const directory = mkdtempSync(join(tmpdir(), 'bottega-python-'));
afterAll(() => rmSync(directory, { recursive: true }));

type Schemas = Record<string, Record<string, unknown>>;

/** The document's schemas as a Python module. Dates stay strings: the language has no parser for them. */
async function writeModule(): Promise<string> {
  const { body } = await call<{ components: { schemas: Schemas } }>('GET', `${service.url}/openapi.json`);
  const text = JSON.stringify(body.components.schemas)
    .replaceAll('#/components/schemas/', '#/definitions/')
    .replaceAll(/"format":"(date-time|date|time)"/g, '"type":"string"');
  const definitions: Schemas = JSON.parse(text);
  const properties = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]),
  );
  const input = new JSONSchemaInput(undefined);
  await input.addSource({ name: 'Document', schema: JSON.stringify({ type: 'object', definitions, properties }) });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({ inputData, lang: 'python', rendererOptions: { 'python-version': '3.7' } });
  const source = lines.join('\n');
  writeFileSync(join(directory, 'bottega.py'), source);
  return source;
}

/** Requests each URL, and returns the answer as parsed by the class of that name. */
const program = `
import json, sys, urllib.error, urllib.request
import bottega
url, key, *asked = sys.argv[1:]
for one in asked:
    name, path = one.split(" ")
    request = urllib.request.Request(url + path, headers={"Authorization": "Bearer " + key})
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        answer = error
    print(json.dumps(getattr(bottega, name).from_dict(json.load(answer)).to_dict()))
`;

describeWith(['python3'], 'Python types generated from the document', () => {
  let user: TestUser;
  let source: string;
  beforeAll(async () => {
    user = await service.createUser();
    source = await writeModule();
    writeFileSync(join(directory, 'ask.py'), program);
  });

  test('have a class for every schema that has a name', async () => {
    const { body } = await call<{ components: { schemas: Schemas } }>('GET', `${service.url}/openapi.json`);
    // ApiKey becomes APIKey there.
    const classes = new Set([...source.matchAll(/^class (\w+):$/gm)].map(([, name = '']) => name.toLowerCase()));
    const names = Object.keys(body.components.schemas);
    expect(names.filter((name) => !classes.has(name.toLowerCase()))).toEqual([]);
  });

  test('read the answers of the service, and write them back unchanged', async () => {
    const project = await createProject(service, user, { name: 'From Python' });
    const asked = [
      ['User', '/v1/user'],
      ['ProjectDetail', `/v1/projects/${project.id}`],
      ['Error', '/v1/projects/prj_0'],
    ] as const;
    const args = ['ask.py', service.url, user.key, ...asked.map(([name, path]) => `${name} ${path}`)];
    const { stdout } = await promisify(execFile)('python3', args, { cwd: directory });
    const written = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const [index, [, path]] of asked.entries()) {
      const { body } = await call('GET', `${service.url}${path}`, { token: user.key });
      const changing = { request_id: expect.any(String), timestamp: expect.any(String) };
      const { error } = body as { error?: object };
      expect(written[index]).toEqual(error ? { error: { ...error, ...changing } } : body);
    }
  });
});
