import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenRules } from './house-rules.ts';

const forbidden = [
  ['projects in the room of their rights', 'projects/access/r.ts', '../index.ts', 'does not know projects'],
  ["another slice's file", 'projects/a.ts', '../identity/users/users.sql.ts', 'imported only through its index.ts'],
  [
    "a neighbour's file in the same room",
    'identity/auth/b.ts',
    '../users/users.sql.ts',
    'imported only through its index.ts',
  ],
  ['SQL in a route', 'projects/c.routes.ts', './projects.sql.ts', 'routes → service → sql'],
  ['a query builder in a route', 'projects/d.routes.ts', 'kysely', 'a route has no SQL'],
  ['a slice on the ground floor', 'foundation/http/e.ts', '../../projects/index.ts', 'does not know projects'],
  ['a slice in a folder of the database', 'foundation/db/embedded/f.ts', '../../../identity/users/index.ts', 'know'],
  ['a slice in git’s formats', 'repository/objects/g.ts', '../../webhooks/index.ts', 'does not know webhooks'],
  ['another slice in events', 'events/h.ts', '../projects/index.ts', 'does not know projects'],
  ['the application in a slice', 'projects/i.ts', '../app.ts', 'does not know app.ts'],
  ["a slice's making in another slice", 'webhooks/j.ts', '../projects/slice.ts', 'only service.ts'],
  ['what is made for tests in a slice', 'projects/k.ts', '../testing/wait-for.ts', 'only tests'],
  ['a room that nobody knows', 'novelty/l.ts', '../projects/index.ts', 'not in the list'],
  ['the file system in the contract', '../../../packages/contract/src/m.ts', 'node:fs', 'without I/O'],
  [
    'the server in the contract',
    '../../../packages/contract/src/n.ts',
    '../../../apps/server/src/app.ts',
    'without I/O',
  ],
  ['the contract in the command line', '../../../packages/cli/src/o.ts', '@bottega/contract', 'the SDK only'],
  ['a module of Node in the SDK', '../../../packages/sdk/src/p.ts', 'node:crypto', 'no dependencies'],
  ['the contract in the SDK', '../../../packages/sdk/src/q.ts', '@bottega/contract', 'no dependencies'],
] as const;

const allowed = [
  ["another slice's index", 'projects/door.ts', '../identity/users/index.ts'],
  ['rights in what projects build on', 'notifications/rights.ts', '../projects/access/index.ts'],
  ['its own SQL in a service', 'projects/own.service.ts', './projects.sql.ts'],
  ['the ground floor in a slice', 'projects/ground.ts', '../foundation/db/pool.ts'],
  ['git’s formats in a slice', 'templates/objects.ts', '../repository/objects/pack.ts'],
  ['anything in a test', 'projects/any.test.ts', '../webhooks/relay.sql.ts'],
  ['the SDK in the command line', '../../../packages/cli/src/sdk.ts', '@bottega/sdk'],
  ['its own files in the SDK', '../../../packages/sdk/src/live/own.ts', '../errors.ts'],
  ['typebox in the contract', '../../../packages/contract/src/box.ts', 'typebox'],
] as const;

const namingTables = [
  ['select path from files f where f.project_id = $1', 'files'],
  ['select 1 from projects p join git_objects o on true', 'git_objects'],
  ['insert into git_commits (sha) values ($1)', 'git_commits'],
  ['update\n  directories set path = $1', 'directories'],
  ['delete from git_refs', 'git_refs'],
  ["db.selectFrom('files').select('path')", 'files'],
] as const;

const collaborators = 'names collaborators';
const owner = 'compares the owner of a project';
const askingForMembers = [
  ["select from collaborators c where c.user_id = $1 and c.status = 'active'", collaborators],
  ['select 1 from projects p left join collaborators as c on c.project_id = p.id', collaborators],
  ["db.selectFrom('collaborators').select('permissions')", collaborators],
  ['exists (select from projects where id = $1 and owner_id = $2)', owner],
  ['where p.owner_id = $1 or p.public', owner],
  ['(p.owner_id = u.id\n  or exists (select from session_participants))', owner],
] as const;

const askingForNobody = [
  'select count(*) from domains m join projects p on p.id = m.project_id where p.owner_id = $1',
  'select 1 from projects p join users u on u.id = p.owner_id',
  'select collaborators_count from project_stats',
] as const;

const strayStatements = [
  ['a tagged statement', 'projects/tagged.ts', 'await sql<{ id: string }>`select 1`.execute(db)'],
  ['a query builder', 'projects/builder.service.ts', "db.selectFrom('users').execute()"],
  ['a statement by a connection', 'foundation/jobs/connection.ts', "pool.query('select')"],
] as const;

const ownStatements = [
  ['a *.sql.ts file', 'projects/own.sql.ts', 'await sql`select 1`.execute(db)'],
  ['the room of the database', 'foundation/db/opening.ts', "client.query('set jit = off')"],
  ['a test', 'projects/looking.test.ts', "pool.query('select')"],
] as const;

const cli = '../../../packages/cli/src';
const dashboard = '../../dashboard/src';
const ofCommandLine = [
  [
    'a write outside of its room',
    'commands/w1.ts',
    "import { readFile, writeFile } from 'node:fs/promises';",
    'writeFile',
  ],
  ['a write under another name', 'commands/w2.ts', "import { rm as read } from 'node:fs';", 'rm as read'],
  ['all of the file system', 'commands/w3.ts', "import * as fs from 'node:fs';", '* as fs'],
  ['a process', 'commands/w4.ts', "import { spawn } from 'node:child_process';", 'starts processes'],
] as const;
const ofItsRooms = [
  ['looking', 'commands/l1.ts', "import { lstat, readFile } from 'node:fs/promises';"],
  ['a write in its room', 'files/l2.ts', "import { writeFile } from 'node:fs/promises';"],
  ['git in its file', 'project/git.ts', "import { spawn } from 'node:child_process';"],
] as const;

const root = mkdtempSync(join(tmpdir(), 'bottega-house-'));
let broken: string[];

const writeStatement = (place: string, statement: string): void =>
  write(place, `export const statement = \`${statement}\`;\n`);

function write(place: string, text: string): void {
  const path = join(root, 'apps/server/src', place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const importing = (specifier: string) => `import type * as it from '${specifier}';\n\nexport type Used = typeof it;\n`;

beforeAll(() => {
  for (const [, place, specifier] of [...forbidden, ...allowed]) write(place, importing(specifier));
  write('webhooks/one.ts', importing('./two.ts'));
  write('webhooks/two.ts', importing('./one.ts'));
  write(`${dashboard}/kit/one.tsx`, importing('./two.tsx'));
  write(`${dashboard}/kit/two.tsx`, importing('./one.tsx'));
  write('domains/left/a.ts', importing('../right/b.ts'));
  write('domains/right/c.ts', importing('../left/d.ts'));
  for (const [, place, text] of [...strayStatements, ...ownStatements]) write(place, `\n${text};\n`);
  for (const [index, [statement]] of namingTables.entries()) {
    writeStatement(`webhooks/t${index}.sql.ts`, statement);
    writeStatement(`repository/store/t${index}.sql.ts`, statement);
  }
  for (const [, place, text] of [...ofCommandLine, ...ofItsRooms]) write(`${cli}/${place}`, `${text}\n`);
  for (const [index, [statement]] of askingForMembers.entries()) {
    writeStatement(`webhooks/m${index}.sql.ts`, statement);
    writeStatement(`projects/m${index}.sql.ts`, statement);
  }
  for (const [index, statement] of askingForNobody.entries()) writeStatement(`webhooks/n${index}.sql.ts`, statement);
  writeStatement('webhooks/others.sql.ts', 'select 1 from template_files f join filesystem d on true');
  broken = brokenRules(root);
});
afterAll(() => rmSync(root, { recursive: true }));

const linesOf = (place: string) => broken.filter((line) => line.includes(`${place.split('/').at(-1)} imports`));

describe('a forbidden import is reported, even of a type:', () => {
  test.each(forbidden)('%s', (_what, place, _specifier, reason) => {
    expect(linesOf(place).join()).toContain(reason);
  });

  test('a circle of files', () => {
    expect(broken).toContain('a circle: webhooks/one.ts → webhooks/two.ts → webhooks/one.ts');
  });

  test('a circle of files in the dashboard', () => {
    expect(broken).toContain('dashboard: a circle: kit/one.tsx → kit/two.tsx → kit/one.tsx');
  });

  test('a circle of folders whose files form no circle', () => {
    expect(broken).toContain('a circle of folders: domains/left → domains/right → domains/left');
  });
});

describe('an allowed import passes:', () => {
  test.each(allowed)('%s', (_what, place) => {
    expect(linesOf(place)).toEqual([]);
  });
});

describe('SQL on a git table is reported outside of the store, and passes inside:', () => {
  test.each(namingTables)('%s', (statement, table) => {
    const index = namingTables.findIndex(([one]) => one === statement);
    expect(broken.filter((line) => line.includes(`/t${index}.sql.ts`))).toEqual([
      `webhooks/t${index}.sql.ts names ${table}: only repository/store/ has SQL on git's tables`,
    ]);
  });

  test('tables whose names only begin alike pass everywhere', () => {
    expect(broken.filter((line) => line.includes('others.sql.ts'))).toEqual([]);
  });
});

describe('SQL that asks who belongs to a project is reported outside of projects, and passes inside:', () => {
  test.each(askingForMembers)('%s', (statement, what) => {
    const index = askingForMembers.findIndex(([one]) => one === statement);
    expect(broken.filter((line) => line.includes(`/m${index}.sql.ts`))).toEqual([
      `webhooks/m${index}.sql.ts ${what}: ask the fragments of projects/access/ who is of a project`,
    ]);
  });

  test.each(askingForNobody)('but SQL that asks for no members passes: %s', (statement) => {
    const index = askingForNobody.indexOf(statement);
    expect(broken.filter((line) => line.includes(`/n${index}.sql.ts`))).toEqual([]);
  });
});

describe('SQL outside of *.sql.ts is reported:', () => {
  test.each(strayStatements)('%s', (_what, place) => {
    expect(broken).toContain(`${place}:2 has SQL, which belongs in a *.sql.ts file`);
  });
});

describe('SQL is allowed in', () => {
  test.each(ownStatements)('%s', (_what, place) => {
    expect(broken.join('\n')).not.toContain(place);
  });
});

describe('command line code that could follow a link or run a program of a hostile folder is reported:', () => {
  test.each(ofCommandLine)('%s', (_what, place, _text, reason) => {
    expect(broken.filter((line) => line.startsWith(`cli ${place} `)).join()).toContain(reason);
  });

  test.each(ofItsRooms)('but not %s', (_what, place) => {
    expect(broken.filter((line) => line.startsWith(`cli ${place} `))).toEqual([]);
  });
});
