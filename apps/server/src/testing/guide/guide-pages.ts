/** A page of the guide with commands or programs. */
export type GuidePage = {
  /** The test that runs its commands as printed. Null if it leaves out all of them. */
  test: string | null;
  /**
   * Blocks that the test leaves out, by their beginning, each with the reason. If the reason is the path of a test,
   * that test covers the same.
   */
  except?: Readonly<Record<string, string>>;
  /** The test that runs its programs in JavaScript, or why there is none. */
  programs?: string;
};

const api = 'apps/server/src/testing/guide/guide-commands.test.ts';
const operator = 'apps/server/src/commands/guide-commands.nightly.test.ts';
const terminal = 'the command line signs in and works in packages/cli/packaging/package.test.ts';
const needsBucket = 'it needs a bucket: apps/server/src/commands/s3-backup.nightly.test.ts has one';
const needsDns = 'it needs a real name in DNS';
const needsEngine = 'it needs an engine: users/shapes/image.ts builds and runs the image';
const needsAgent = 'it needs the program `claude`';
const staysOpen = 'it runs until somebody stops it';
const btg = 'packages/cli/src/commands/guide-commands.test.ts';

/**
 * Every page of the guide with commands or programs. A test fails if a page is missing here, or if a command that is
 * not left out does not work.
 */
export const guidePages: Readonly<Record<string, GuidePage>> = {
  'README.md': {
    test: api,
    except: {
      'npm ci && npm start': 'every story runs on it in the shape `clone`',
      'npm ci && npm run package': 'every story runs on it in the shape `package`',
      'npm install -g': terminal,
      'npm ci && npm test': 'it is this run',
    },
  },
  'deploy/helm/bottega/README.md': {
    test: null,
    except: { 'kubectl create': 'it needs a cluster', 'go install': 'it needs Helm' },
  },
  'docs/accounts.md': {
    test: api,
    except: {
      'curl -s -b jar $API/auth/second-factor/confirm':
        'an app shows the code: apps/server/src/identity/accounts/second-factor.test.ts',
      'npx bottega admin user': 'apps/server/src/commands/admin.test.ts',
    },
  },
  'docs/agents.md': { test: 'apps/server/src/mcp/documented-agents.test.ts' },
  'docs/backup.md': { test: operator, except: { 'export AWS_ACCESS_KEY_ID': needsBucket } },
  'docs/branch-rules.md': { test: 'apps/server/src/merge-requests/rules/documented-page.test.ts' },
  'docs/branches.md': { test: api },
  'docs/checks.md': {
    test: 'apps/server/src/checks/documented-page.test.ts',
    except: { 'btg ': btg },
  },
  'docs/cli.md': {
    test: btg,
    except: {
      'npm install -g': terminal,
      'curl -O': 'apps/server/src/downloads/connect.test.ts',
      'btg run --': 'packages/cli/src/workspace/workspace.test.ts',
      'btg listen': staysOpen,
      'btg session': staysOpen,
    },
  },
  'docs/collaborators.md': { test: api },
  'docs/cookbook.md': { test: null, programs: 'packages/sdk/packaging/package.test.ts' },
  'docs/deployments.md': { test: api, except: { 'BOTTEGA_BUILD_DRIVER=container': 'it needs an engine elsewhere' } },
  'docs/domains.md': { test: api, except: { 'curl -i https://example.com': needsDns } },
  'docs/events.md': { test: api, except: { 'curl -sN': staysOpen } },
  'docs/files.md': { test: api },
  'docs/installing.md': {
    test: null,
    except: {
      'npm ci && npm run package': 'every story runs on it in the shape `package`',
      'npm install -g': terminal,
      'docker build': needsEngine,
      'docker compose': needsEngine,
      printf: needsEngine,
    },
  },
  'docs/live.md': {
    test: api,
    except: { 'npx wscat': 'it comes from the registry of npm, and stays open' },
    programs: 'apps/server/src/collaboration/texts/documented-script.test.ts',
  },
  'docs/mcp.md': { test: api, except: { 'claude mcp add --transport http': needsAgent } },
  'docs/merge-requests.md': {
    test: 'apps/server/src/merge-requests/documented-page.test.ts',
    except: { 'btg ': btg },
  },
  'docs/notifications.md': { test: api },
  'docs/oauth.md': {
    test: api,
    except: { 'curl -s http://localhost:3000/oauth/token -d client_id=btg': 'a person decides in a browser first' },
  },
  'docs/object-storage.md': {
    test: null,
    except: {
      'export BOTTEGA_OBJECTS': 'apps/server/src/commands/objects.nightly.test.ts',
      'npx bottega objects move': 'apps/server/src/commands/objects.nightly.test.ts',
    },
  },
  'docs/observability/README.md': {
    test: api,
    except: { 'npx bottega start': staysOpen, 'node collector.mjs': staysOpen },
    programs: 'it is a receiver for one process, which the block after it starts and leaves open',
  },
  'docs/operating.md': {
    test: operator,
    except: {
      'DATABASE_URL=': 'they are lines of a file of settings',
      'DATABASE_READ_URL=': 'they are lines of a file of settings',
      useradd: 'it changes the users and the services of the machine',
    },
  },
  'docs/quickstart.md': {
    test: 'packages/cli/packaging/package.test.ts',
    except: { 'npm ci && npm start': 'every story runs on it in the shape `clone`', 'npm install -g': terminal },
  },
  'docs/sdk.md': {
    test: null,
    except: { 'npm install http': 'apps/server/src/downloads/connect.test.ts pastes this command' },
    programs: 'packages/sdk/packaging/package.test.ts',
  },
  'docs/security.md': { test: operator },
  'docs/templates.md': { test: api },
  'docs/tls.md': {
    test: operator,
    except: {
      'PORT=443': needsDns,
      'curl --cacert':
        'it needs the service of the block before, which stays open: apps/server/src/commands/tls.nightly.test.ts',
    },
  },
  'docs/webhooks.md': { test: api, programs: api },
  'docs/workspaces.md': {
    test: 'apps/server/src/workspaces/documented-page.test.ts',
    except: { 'btg ': 'packages/cli/src/workspace/workspace.test.ts' },
  },
};
