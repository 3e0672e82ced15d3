import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { circlesOf, type Import } from './circles.ts';

/**
 * What holds the house up, over every import of the server, those of types included, and where its SQL is. Biome knows a
 * specifier only; these rules need to know the file that it leads to.
 */

/** A room knows the ones before it, and none behind it. */
const rooms = [
  'foundation',
  'events',
  'identity',
  // Who may what in a project. It knows no project's other rows, and so is asked by those below projects as well.
  'projects/access',
  'notifications',
  'projects',
  'repository',
  'templates',
  'certificates',
  'domains',
  'deployments',
  'webhooks',
  'event-stream',
  'collaboration',
  'mcp',
  'dashboard',
  'guide',
  'downloads',
  'backups',
  'app.ts',
  'service.ts',
  'commands',
  'main.ts',
];

/** Entered by any of their files: they are tools, not slices. */
const withoutDoor = ['foundation', 'repository/objects'];

/** Git's tables and the rows of the head. One room has all SQL on them, so that their invariants are kept in one place. */
const tablesOfStore = ['git_objects', 'git_commits', 'git_refs', 'files', 'directories'];
const storeRoom = 'repository/store/';

/**
 * What is kept in memory by its content or for a connection, so that no row can make it untrue. All else that remembers
 * rows does so by `foundation/cluster`, which knows what makes it forget.
 */
const remembersNoRows: Record<string, string> = {
  'repository/files/kept-contents.ts': 'contents by their hash',
  'repository/store/known-heads.ts': 'heads, which every write compares with the row',
  'repository/store/quota.ts': 'a sum far from its limit, for some seconds',
  'templates/samples.ts': 'by version and time of change',
  'deployments/serving/contents.ts': 'files of artifacts, which never change',
  'deployments/serving/app-places.ts': 'where an app answered half a second ago; asked again where it does not',
  'certificates/known-certificates.ts': 'certificates, which are read again every second',
  'identity/oauth/client-documents.ts': 'documents of other servers',
  'foundation/outgoing/connections.ts': 'connections',
};
const memoryRoom = 'foundation/cluster/';

/** Where the database itself is opened, migrated and listened to. */
const ownsConnections = 'foundation/db/';

type Source = { file: string; text: string };

/** One line for each place that breaks a rule; `root` is that of the repository. */
export function brokenRules(root: string): string[] {
  const sources = sourcesBelow(join(root, 'apps/server/src'));
  const imports = sources.flatMap(importsOf);
  const ofContract = sourcesBelow(join(root, 'packages/contract/src')).flatMap(importsOf);
  const cli = sourcesBelow(join(root, 'packages/cli/src'));
  const ofSdk = sourcesBelow(join(root, 'packages/sdk/src')).flatMap(importsOf);
  const ofDashboard = sourcesBelow(join(root, 'apps/dashboard/src')).flatMap(importsOf);
  return [
    ...imports.flatMap(whyNot),
    ...circlesOf(imports.map(withRoomAsFolder), isFree),
    ...circlesOf(ofDashboard, isFree).map((circle) => `dashboard: ${circle}`),
    ...sources.flatMap(strayStatements),
    ...sources.flatMap(tablesNamedOutsideStore),
    ...sources.flatMap(membershipOutsideProjects),
    ...sources.flatMap(unregisteredMemories),
    ...ofContract.flatMap(whyNotInContract),
    ...cli.flatMap(importsOf).flatMap(whyNotInCli),
    ...cli.flatMap(strayWritesOfCli),
    ...ofSdk.flatMap(whyNotInSdk),
  ];
}

/** A tagged statement, kysely's builders, or a statement that is handed to a connection. */
const tag = 'sql(?:<[^`]*>)?|(?:allRows|firstRow)(?:<[^`]*>)?\\(\\w+\\)';
const builder = '(?:selectFrom|insertInto|updateTable|deleteFrom|executeQuery|query)[(<]';
const statement = new RegExp(`\\b(?:${tag})\`|\\.${builder}`, 'g');

function strayStatements({ file, text }: Source): string[] {
  const mayHaveSql = file.endsWith('.sql.ts') || file.startsWith(ownsConnections) || isFree(file);
  if (mayHaveSql) return [];
  return [...text.matchAll(statement)].map(({ index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${file}:${line} has SQL, which belongs in a *.sql.ts file`;
  });
}

/** In SQL as text, and as the query builder has it. */
const namesTableOfStore = new RegExp(
  `(?:\\b(?:from|join|into|update|using)\\s+|(?:From|Into|Table|Join)\\(')(${tablesOfStore.join('|')})\\b`,
  'gi',
);

function tablesNamedOutsideStore({ file, text }: Source): string[] {
  if (!file.endsWith('.sql.ts') || file.startsWith(storeRoom)) return [];
  const named = new Set([...text.matchAll(namesTableOfStore)].map(([, table]) => table));
  return [...named].map((table) => `${file} names ${table}: only ${storeRoom} has SQL on git's tables`);
}

/**
 * Who is of a project is asked by the fragments of `projects/access/`. Told are the table of collaborators, and an owner
 * who is compared to find out whether somebody is one of the project's people: in a row that has to exist, or beside other ways in.
 */
const namesCollaborators = /(?:\b(?:from|join|into|update|using)\s+|(?:From|Into|Table|Join)\(')collaborators\b/i;
const comparesOwner =
  /\bexists\s*\(\s*select\s[^()]*\bfrom\s+projects\b[^()]*\bowner_id\s*=|\bowner_id\s*=\s*\S+\s+or\b/i;
const projectRoom = 'projects/';

function membershipOutsideProjects({ file, text }: Source): string[] {
  if (!file.endsWith('.sql.ts') || file.startsWith(projectRoom)) return [];
  const asks = (what: string) => [`${file} ${what}: ask the fragments of projects/access/ who is of a project`];
  return [
    ...(namesCollaborators.test(text) ? asks('names collaborators') : []),
    ...(comparesOwner.test(text) ? asks('compares the owner of a project') : []),
  ];
}

function unregisteredMemories({ file, text }: Source): string[] {
  const remembers = text.includes("from 'lru-cache'") && !file.startsWith(memoryRoom) && !isFree(file);
  const isKnown = file in remembersNoRows || text.includes('cluster/memories.ts');
  return remembers && !isKnown ? [`${file} remembers something that nothing makes it forget: use ${memoryRoom}`] : [];
}

/** Browsers load it too. */
function whyNotInContract({ from, to }: Import): string[] {
  const isOwn = to.endsWith('.ts') && !to.startsWith('..');
  return isOwn || to === 'typebox' || from.endsWith('.test.ts')
    ? []
    : [`contract ${from} imports ${to}: the contract is data, without I/O`];
}

/** Whatever it can do, every program with the SDK can. */
function whyNotInCli({ from, to }: Import): string[] {
  const isStrange = to === '@bottega/contract' || (to.startsWith('..') && to.endsWith('.ts'));
  return isStrange && !isFree(from) ? [`cli ${from} imports ${to}: the command line knows the SDK only`] : [];
}

/**
 * A folder that a project filled can have a link at every path. One room knows how to write there, and one file how to run
 * git there; all others may look.
 */
const looking = ['readFile', 'readdir', 'lstat', 'stat', 'watch'];
const mayStart = ['main.ts', 'project/git.ts'];

function strayWritesOfCli({ file, text }: Source): string[] {
  if (isFree(file)) return [];
  const named = [...text.matchAll(/^import\s+([^;]*?)\s+from\s*'node:fs(?:\/promises)?'/gm)]
    .flatMap(([, names = '']) => (/^\{.*\}$/s.test(names) ? names.slice(1, -1).split(',') : [names]))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !/^type\s/.test(name) && !looking.includes(name));
  const starts = text.includes("'node:child_process'") && !mayStart.includes(file);
  return [
    ...(file.startsWith('files/') ? [] : named.map((name) => `cli ${file} uses ${name}: only files/ changes files`)),
    ...(starts ? [`cli ${file} starts processes: only ${mayStart.join(' and ')} do`] : []),
  ];
}

/** Its package has no dependencies, and runs where Node is not. */
function whyNotInSdk({ from, to }: Import): string[] {
  const isOwn = to.endsWith('.ts') && !to.startsWith('..');
  return isOwn || isFree(from) ? [] : [`sdk ${from} imports ${to}: the SDK has no dependencies`];
}

function whyNot({ from, to }: Import): string[] {
  const problem = (rule: string) => [`${from} imports ${to}: ${rule}`];
  if (from.endsWith('.routes.ts') && (to === 'kysely' || to === 'pg')) return problem('a route has no SQL');
  if (!to.endsWith('.ts')) return [];
  if (from.endsWith('.routes.ts') && to.endsWith('.sql.ts')) return problem('routes → service → sql');
  if (isFree(from)) return [];
  if (isFree(to)) return problem('only tests use what is made for tests');
  const [here, there] = [rooms.indexOf(roomOf(from)), rooms.indexOf(roomOf(to))];
  if (here < 0 || there < 0) return problem('its room is not in the list of rooms');
  if (there > here) return problem(`${roomOf(from)} does not know ${roomOf(to)}`);
  if (withoutDoor.some((place) => to.startsWith(`${place}/`)) || isProgram(from)) return [];
  if (to.endsWith('/slice.ts') && from !== 'service.ts' && sliceOf(from) !== sliceOf(to)) {
    return problem('only service.ts puts slices together');
  }
  const isEnteredByDoor = sliceOf(from) === sliceOf(to) || /\/(index|slice)\.ts$/.test(to);
  return isEnteredByDoor ? [] : problem('a slice is entered by its index.ts only');
}

/** One with a floor of its own is named by its folder. */
const roomOf = (file: string): string =>
  rooms.find((room) => room.includes('/') && file.startsWith(`${room}/`)) ?? file.split('/')[0] ?? '';

/** `projects/access` counts as a folder beside `projects`, as it is a room of its own. */
const withRoomAsFolder = ({ from, to }: Import): Import => ({ from: asFolder(from), to: asFolder(to) });
const asFolder = (file: string): string =>
  roomOf(file).includes('/') ? file.replace(roomOf(file), roomOf(file).replace('/', '-')) : file;

/** The folder, down to the second floor: `identity/auth`, `webhooks`. */
const sliceOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');

/** They start slices or put them to use; they are none. */
const isProgram = (file: string): boolean => file.startsWith('commands/') || file === 'main.ts';

/** Tests and what they share look into everything. */
const isFree = (file: string): boolean => /^testing\/|\.(test|fixture)\.ts$/.test(file);

function sourcesBelow(root: string): Source[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

function importsOf({ file, text }: Source): Import[] {
  const specifiers = [...text.matchAll(/^(?:import|export)\b[^;'"]*?\bfrom\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm)];
  return specifiers.map(([, named, called]) => {
    const specifier = named ?? called ?? '';
    return { from: file, to: specifier.startsWith('.') ? join(dirname(file), specifier) : specifier };
  });
}
