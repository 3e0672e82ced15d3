const secondMount = 'Below /api/webhooks';

/** In the order in which one comes to need it, each with what is found under it. */
const headings: Record<string, string> = {
  Projects: 'Files under git, with people and settings',
  Files: 'The files at the head of the default branch, and search in them',
  History: 'Commits and branches',
  Templates: 'What a project can start with',
  Deployments: 'Versions of a project, built and served',
  Environments: 'What deployments are for, and their variables',
  Domains: 'Names of your own for what is live',
  Collaborators: 'Who may do what in a project',
  Invitations: 'Those who have not accepted yet',
  Ownership: 'Giving a project to somebody else',
  Collaboration: 'Several people in one file at a time',
  Comments: 'Remarks at a place in a file',
  Notifications: 'What concerns you',
  Events: 'What happened, as a list and as a stream',
  Webhooks: 'What happened, sent to you',
  Account: 'Sign-up, passwords, the second factor',
  Sessions: 'Browsers that are signed in',
  User: 'Profile, preferences, usage, the audit log',
  'API keys': 'Credentials with scopes',
  Services: 'Machines that sign JWTs, and the accounts that they act as',
  'OAuth apps': 'Programs that act for users',
  Administration: 'Accounts, plans and the health of the service',
};

type Document = { paths: Record<string, Record<string, { tags?: string[] }>> };

/** The headings of the documentation. Routes of another mount are the same once more, so they have one of their own. */
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
      { name: secondMount, description: 'The same webhooks, with the defaults of their own mount' },
    ],
  };
}
