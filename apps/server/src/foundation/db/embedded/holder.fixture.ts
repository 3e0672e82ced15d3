import { type AlreadyRunningError, openEmbeddedDatabase } from './index.ts';

/**
 * A program that opens the embedded database, for tests that kill it or run it as another user. It prints one line of
 * JSON when it is open or has failed, and closes when its input ends.
 */
const [dataDir = '', holder = 'service', description = 'a fixture'] = process.argv.slice(2);
const print = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);

try {
  const database = await openEmbeddedDatabase({
    dataDir,
    holder: holder === 'command' ? 'command' : 'service',
    description,
    log: { info: () => undefined, warn: () => undefined },
  });
  print({ connection: database.connection });
  process.stdin.resume().once('end', () => database.close());
} catch (error) {
  const { name, message } = error as AlreadyRunningError;
  print({ error: { name, message } });
}
