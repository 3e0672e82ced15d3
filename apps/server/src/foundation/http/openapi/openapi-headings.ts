const secondMount = 'Below /api/webhooks';

/** In the order in which a reader needs them, each with its description. */
const headings: Record<string, string> = {
  Projects: 'Files under git, with people and settings',
  Files: 'The files at the head of the default branch, and text search',
  History: 'Commits and branches',
  Templates: 'Sets of files that a project can start with',
  Deployments: 'Versions of a project, built and served',
  Environments: 'Targets of deployments, and their variables',
  Domains: 'Your own names for the live deployment',
  Collaborators: 'Users with a role in a project',
  Invitations: 'Collaborators who have not accepted yet',
  Ownership: 'Transferring a project to another owner',
  Collaboration: 'Live sessions, in which several people edit a file at once',
  Comments: 'Remarks on a place in a file',
  Notifications: 'Messages about what concerns you',
  Events: 'Events as a list and as a stream',
  Webhooks: 'Events sent to a URL of yours',
  Account: 'Sign-up, passwords and the second factor',
  Sessions: 'Signed-in browsers',
  User: 'Profile, preferences, usage and the audit log',
  'API keys': 'Credentials with scopes',
  Services: 'Machines that sign JWTs, and the service accounts that they act as',
  'OAuth apps': 'Third-party programs that act for users',
  Administration: 'Accounts, plans and the health of the service',
};

type Document = { paths: Record<string, Record<string, { tags?: string[] }>> };

/** The headings of the documentation. The routes of the second mount repeat the others, so they have their own. */
export function withHeadings<D extends Document>(document: D): D & { tags: { name: string; description: string }[] } {
  for (const [path, operations] of Object.entries(document.paths)) {
    if (!path.startsWith('/api/')) continue;
    for (const operation of Object.values(operations)) operation.tags = [secondMount];
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  used.delete(secondMount);
  const placed = Object.keys(headings).filter((name) => used.has(name));
  const names = new Set([...placed, ...used]);
  return {
    ...document,
    tags: [
      ...[...names].map((name) => ({ name, description: headings[name] ?? name })),
      { name: secondMount, description: 'The same webhook routes with other defaults' },
    ],
  };
}
