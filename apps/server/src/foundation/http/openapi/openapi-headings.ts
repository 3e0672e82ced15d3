const secondMount = 'Below /api/webhooks';

/** The tags in the order in which a reader needs them, each with its description. */
const headings: Record<string, string> = {
  Projects: 'Projects with their files, members and settings',
  Files: 'The files at the head of the default branch, and text search',
  History: 'Commits and branches',
  Templates: 'Sets of files for new projects',
  'Merge requests': 'Changes on a branch that are offered for another branch, then reviewed and merged',
  Checks: 'Commands that test a commit’s files, and results that other systems report for a commit',
  Workspaces: 'A branch’s files in a running sandbox: commands, terminals and ports',
  Deployments: 'Builds of a project and their served versions',
  Environments: 'Deployment targets and their variables',
  Domains: 'Custom domains for the live deployment',
  Collaborators: 'Users with a role in a project',
  Invitations: 'Open invitations to projects',
  Ownership: 'Transferring a project to another owner',
  Collaboration: 'Live sessions in which several users edit files together',
  Comments: 'Comments on positions in files',
  Notifications: 'Messages for your account',
  Events: 'Events as a list and as a stream',
  Webhooks: 'Events sent to your URL',
  Account: 'Sign-up, passwords and the second factor',
  Sessions: 'Browser sessions',
  User: 'Profile, preferences, usage and the audit log',
  'API keys': 'Credentials with scopes',
  Services: 'Machines that sign JWTs, and the service accounts that these JWTs can act as',
  'OAuth apps': 'Third-party apps that act for users',
  Administration: 'Accounts, plans and service health',
};

type Document = { paths: Record<string, Record<string, { tags?: string[] }>> };

/**
 * Adds the headings of the documentation. Routes of the second mount repeat the others, so they are all below one
 * heading of their own.
 */
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
      { name: secondMount, description: 'The webhook routes with other defaults' },
    ],
  };
}
