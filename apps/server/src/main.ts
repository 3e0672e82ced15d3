import { BackupError } from './backups/file/backup-error.ts';
import { AlreadyTold, UsageError } from './commands/command-error.ts';
import { AppError } from './foundation/app-error.ts';
import { ConfigError, readConfig } from './foundation/config/index.ts';
import { AlreadyRunningError, EmbeddedDatabaseError } from './foundation/db/embedded/index.ts';
import { isDatabaseAway } from './foundation/db/errors.ts';
import { MigrationError } from './foundation/db/migrate.ts';
import { ObjectStoreError } from './foundation/objects/object-store.ts';
import { version } from './foundation/version.ts';

const usage = `Usage:
  bottega start [--role all|api|worker]
  bottega migrate
  bottega doctor [--json]
  bottega backup [FILE] [--passphrase-file P [--with-secret-key]] [--json]
  bottega backup --project ID [FILE] [--passphrase-file P] [--json]
  bottega verify FILE [--passphrase-file P] [--json]
  bottega restore FILE [--passphrase-file P] [--replace-secret-key] [--json]
  bottega restore --project FILE --owner EMAIL [--passphrase-file P] [--json]
  bottega objects move [--json]
  bottega language-servers
  bottega admin user create --email E --name N [--password P] [--plan free|pro|enterprise] [--admin] [--json]
  bottega admin user reset-link EMAIL [--json]
  bottega admin user remove-second-factor EMAIL [--json]
  bottega admin key create --user E [--scopes "read:projects …"] [--name N] [--expires-in 90d] [--json]
  bottega admin service create --user E --issuer I [--json]
  bottega admin secret rotate [--json]
  bottega --version

A FILE can be s3://bucket/name.backup. Without a command, Bottega starts. Settings come from the environment; docs/settings.md lists them.
`;

async function main([command = 'start', ...args]: string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(command) || args.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  if (['version', '--version', '-v', '-V'].includes(command)) {
    process.stdout.write(`${version}\n`);
    return;
  }
  if (command === 'doctor') return (await import('./commands/doctor.ts')).doctor(process.env, args);
  const config = readConfig(process.env);
  // Each command loads only what it needs. Loading the whole service takes seconds, and a mistake should be reported
  // before.
  switch (command) {
    case 'start':
      return (await import('./commands/start.ts')).start(config, args);
    case 'migrate':
      return (await import('./commands/migrate.ts')).migrateCommand(config, args);
    case 'backup':
      return (await import('./commands/backup.ts')).backup(config, args);
    case 'verify':
      return (await import('./commands/verify.ts')).verify(config, args);
    case 'restore':
      return (await import('./commands/restore.ts')).restore(config, args);
    case 'objects':
      return (await import('./commands/objects.ts')).objects(config, args);
    case 'language-servers':
      return (await import('./commands/language-servers.ts')).languageServers(config, args);
    case 'admin':
      return (await import('./commands/admin.ts')).admin(config, args);
    default:
      throw new UsageError(`Unknown command: ${command}. See bottega --help.`);
  }
}

/**
 * Prints why the command failed. A problem that an operator can fix is printed as one line. Anything else is a bug, and
 * is printed with its stack.
 */
function report(error: unknown): void {
  if (error instanceof AlreadyTold) return;
  const expected = [
    UsageError,
    ConfigError,
    AlreadyRunningError,
    EmbeddedDatabaseError,
    MigrationError,
    AppError,
    BackupError,
    ObjectStoreError,
  ];
  // If a host has several addresses, connecting to it fails with one error for each.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message, stack, syscall } = first as NodeJS.ErrnoException;
  // A database that refuses us, a port in use, an address that does not belong to this machine, or an unknown host
  // name.
  const mendable = /^(28...|3D000)$/.test(code ?? '') || /^(listen|bind|connect|getaddrinfo)$/.test(syscall ?? '');
  if (expected.some((kind) => error instanceof kind)) process.stderr.write(`bottega: ${message}\n`);
  else if (mendable || isDatabaseAway(error) || code?.startsWith('ERR_PARSE_ARGS')) {
    process.stderr.write(`bottega: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  } else process.stderr.write(`bottega: ${stack}\n`);
}

try {
  await main(process.argv.slice(2));
  // Nothing is left to do. A forgotten timer must not keep the process alive.
  process.exit();
} catch (error) {
  report(error);
  process.exit(1);
}
