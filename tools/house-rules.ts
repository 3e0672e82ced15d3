import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { circlesOf, type Import } from './circles.ts';

/**
 * The rules of the architecture, over every import of the server, including types, and over the location of its SQL.
 * Biome knows only a specifier; these rules need the file that it resolves to.
 */

/** A room may import the ones before it, and none after it. */
const rooms = [
  'foundation',
  'events',
  'identity',
  // The rights in a project. It reads no other rows of projects, so rooms below projects may use it too.
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
  'workspaces',
  'checks',
  'merge-requests',
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

/** Any of their files may be imported: they are tools, not slices. */
const openFolders = ['foundation', 'repository/objects'];

/** Git's tables and the head rows. One room has all SQL on them, so that their invariants are kept in one place. */
const tablesOfStore = [
  ...['git_objects', 'git_packs', 'git_pack_pieces', 'git_pack_buckets'],
  ...['git_pack_histories', 'git_pack_paths', 'git_commits', 'git_refs'],
  ...['files', 'directories', 'branch_entries'],
];
const storeRoom = 'repository/store/';

/**
 * Caches by content or for a connection, which no row can invalidate. Everything else that caches rows uses
 * `foundation/cluster`, which knows when to invalidate it.
 */
const cachesNoRows: Record<string, string> = {
  'repository/store/tree-contents.ts': 'trees by their ids',
  'repository/store/packs/packed-objects.service.ts': 'parts of packs, which never change',
  'repository/store/packs/histories.service.ts': 'the commits of packs, which never change',
  'repository/files/kept-contents.ts': 'contents by their hash',
  'repository/store/known-heads.service.ts': 'heads, which every write compares with the row',
  'repository/store/quota.ts': 'a sum far from its limit, for some seconds',
  'templates/samples.ts': 'by version and time of change',
  'deployments/serving/contents.ts': 'files of artifacts, which never change',
  'deployments/serving/app-places.ts': 'where an app answered half a second ago; asked again where it does not',
  'certificates/known-certificates.ts': 'certificates, which are read again every second',
  'identity/oauth/client-documents.ts': 'documents of other servers',
  'foundation/outgoing/connections.ts': 'connections',
};
const cacheRoom = 'foundation/cluster/';

/** The folder that opens, migrates and listens to the database. */
const ownsConnections = 'foundation/db/';

type Source = { file: string; text: string };

/** One line for each violation; `root` is that of the repository. */
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
    ...sources.flatMap(unregisteredCaches),
    ...ofContract.flatMap(whyNotInContract),
    ...cli.flatMap(importsOf).flatMap(whyNotInCli),
    ...cli.flatMap(strayWritesOfCli),
    ...ofSdk.flatMap(whyNotInSdk),
  ];
}

/** A tagged statement, kysely's builders, or a statement passed to a connection. */
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

/** Matches SQL text and the query builder. */
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
 * The fragments of `projects/access/` decide who is a member of a project. This matches the table of collaborators, and
 * a comparison with an owner that decides whether a user is a member: in a row that has to exist, or beside other
 * conditions.
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

function unregisteredCaches({ file, text }: Source): string[] {
  const remembers = text.includes("from 'lru-cache'") && !file.startsWith(cacheRoom) && !isFree(file);
  const isKnown = file in cachesNoRows || text.includes('cluster/cache-registry.ts');
  return remembers && !isKnown ? [`${file} remembers something that nothing makes it forget: use ${cacheRoom}`] : [];
}

/** Browsers load it too. */
function whyNotInContract({ from, to }: Import): string[] {
  const isOwn = to.endsWith('.ts') && !to.startsWith('..');
  return isOwn || to === 'typebox' || from.endsWith('.test.ts')
    ? []
    : [`contract ${from} imports ${to}: the contract is data, without I/O`];
}

/** The CLI can do only what every program with the SDK can. */
function whyNotInCli({ from, to }: Import): string[] {
  const isStrange = to === '@bottega/contract' || (to.startsWith('..') && to.endsWith('.ts'));
  return isStrange && !isFree(from) ? [`cli ${from} imports ${to}: the command line knows the SDK only`] : [];
}

/**
 * A folder that a project filled can have a symbolic link at every path. One room knows how to write there, and one
 * file how to run git there; all others may only read.
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

/** Its package has no dependencies, and also runs outside Node. */
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
  if (openFolders.some((folder) => to.startsWith(`${folder}/`)) || isProgram(from)) return [];
  if (to.endsWith('/slice.ts') && from !== 'service.ts' && sliceOf(from) !== sliceOf(to)) {
    return problem('only service.ts puts slices together');
  }
  const isThroughIndex = sliceOf(from) === sliceOf(to) || /\/(index|slice)\.ts$/.test(to);
  return isThroughIndex ? [] : problem('a slice is imported only through its index.ts');
}

/** A room with its own floor is named by its folder. */
const roomOf = (file: string): string =>
  rooms.find((room) => room.includes('/') && file.startsWith(`${room}/`)) ?? file.split('/')[0] ?? '';

/** `projects/access` counts as a folder beside `projects`, since it is a separate room. */
const withRoomAsFolder = ({ from, to }: Import): Import => ({ from: asFolder(from), to: asFolder(to) });
const asFolder = (file: string): string =>
  roomOf(file).includes('/') ? file.replace(roomOf(file), roomOf(file).replace('/', '-')) : file;

/** The folder, down to the second level: `identity/auth`, `webhooks`. */
const sliceOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');

/** They start or use slices, but are none. */
const isProgram = (file: string): boolean => file.startsWith('commands/') || file === 'main.ts';

/** Tests and their helpers may import anything. */
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
