/** The files of each screen, by the path of the screen in the dashboard's sources. The build writes this list. */
export type FilesOfScreens = Readonly<Record<string, readonly string[]>>;

/** `given` lists requests whose answers are so small and fast that they are sent within the page. */
type Asked = { screens: readonly string[]; data: readonly string[]; given?: readonly string[] };

const session = '/v1/auth/session';
export const listOfProjects = '/v1/projects?sort=updated_at&order=desc&page=1&limit=20';
const stars = '/v1/user/stars';
const project = '^/projects/(prj_\\w+)';

/**
 * The first requests of the most used screens, by URL. The browser can send them before the code of the dashboard has
 * loaded. A screen sends all other requests itself.
 */
const table: readonly [address: RegExp, asked: (...parts: string[]) => Asked][] = [
  [
    /^\/projects$/,
    () => ({ screens: ['projects/projects-screen.tsx'], data: [], given: [session, listOfProjects, stars] }),
  ],
  [/^\/projects\?/, () => ({ screens: ['projects/projects-screen.tsx'], data: [session] })],
  [
    new RegExp(`${project}(?:/overview)?(?:\\?|$)`),
    (id) => inProject(id, 'overview/overview-screen.tsx', '/files', '/commits?limit=5', '/collaborators'),
  ],
  // The list of files is not preloaded for another branch, because the request would be for other files.
  [new RegExp(`${project}/files\\?(?:.*&)?ref=`), (id) => inProject(id, 'editor/files-screen.tsx')],
  [new RegExp(`${project}/files`), (id) => inProject(id, 'editor/files-screen.tsx', '/files?recursive=true')],
  [
    new RegExp(`${project}/history/([0-9a-f]+)$`),
    (id, sha) => inProject(id, 'history/commit-screen.tsx', `/commits/${sha}?diffs=20`),
  ],
  [new RegExp(`${project}/history`), (id) => inProject(id, 'history/history-screen.tsx')],
  [new RegExp(`${project}/merge-requests/([1-9][0-9]*)(?:\\?(.*))?$`), mergeRequest],
  [new RegExp(`${project}/merge-requests(?:\\?|$)`), (id) => inProject(id, 'merge-requests/requests-screen.tsx')],
  [new RegExp(`${project}/deployments`), (id) => inProject(id, 'deployments/deployments-screen.tsx')],
];

/** The parts of a merge request's page: its code, and its first requests besides those of all parts. */
const partsOfRequest = new Map<string, { code: string; data: readonly string[] }>([
  ['conversation', { code: 'merge-requests/conversation.tsx', data: ['/versions', '/reviews'] }],
  ['changes', { code: 'merge-requests/changes-tab.tsx', data: ['/versions', '/diff?diffs=10'] }],
  ['checks', { code: 'checks/checks-tab.tsx', data: ['/checks'] }],
]);

function mergeRequest(id?: string, number?: string, search?: string): Asked {
  const asked = new URLSearchParams(search);
  const { code, data } = partsOfRequest.get(asked.get('tab') ?? 'conversation') ?? { code: '', data: [] };
  // If the URL names other versions, the changes between them are different, so they are not preloaded.
  const isNewest = !asked.has('from') && !asked.has('to');
  const first = ['', '/threads', ...data.filter((part) => isNewest || !part.startsWith('/diff'))];
  const { screens, ...rest } = inProject(
    id,
    'merge-requests/request-screen.tsx',
    ...first.map((part) => `/merge-requests/${number}${part}`),
  );
  return { ...rest, screens: [code, ...screens] };
}

function inProject(id: string | undefined, screen: string, ...data: string[]): Asked {
  const url = `/v1/projects/${id}`;
  return {
    screens: [screen, 'project/project-layout.tsx'],
    data: [session, url, ...data.map((part) => `${url}${part}`), stars],
  };
}

const beforeSignIn: Asked = { screens: ['sign-in/sign-in-screen.tsx'], data: [] };

/** Responses that are sent within the page at this URL, for a signed-in user. */
export const givenWith = (address: string): readonly string[] => ofAddress(address).given ?? [];

type Reader = { isSignedIn: boolean; given: ReadonlyMap<string, unknown> };

/**
 * Preload links for the head of the page. A visitor who is not signed in goes to the sign-in page, whatever the URL.
 */
export function preloadsOf(address: string, files: FilesOfScreens, reader: Reader): string {
  const { screens, data, given = [] } = reader.isSignedIn ? ofAddress(address) : beforeSignIn;
  const needed = new Set(screens.flatMap((screen) => files[screen] ?? []));
  const missing = [...given, ...data].filter((url) => !reader.given.has(url));
  return [...[...needed].map(fileLink), ...missing.map(dataLink)].join('');
}

function ofAddress(address: string): Asked {
  for (const [pattern, asked] of table) {
    const match = pattern.exec(address);
    if (match) return asked(...match.slice(1));
  }
  return { screens: [], data: [] };
}

const fileLink = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${file}">`
    : `<link rel="modulepreload" crossorigin href="${file}">`;

/**
 * A preload link for data. It uses the mode and credentials of the dashboard's own requests. Otherwise, a browser would
 * send the request twice.
 */
const dataLink = (url: string): string =>
  `<link rel="preload" as="fetch" crossorigin href="${url.replaceAll('&', '&amp;')}">`;
