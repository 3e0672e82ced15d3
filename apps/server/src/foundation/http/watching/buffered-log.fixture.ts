import { bufferedDestination, createLogger } from './logging.ts';

/** A program that logs some lines and then ends or hangs, depending on its argument. */
const log = createLogger('info', bufferedDestination());
const [end] = process.argv.slice(2);
for (let number = 0; number < 1_000; number++) log.info({ number }, 'a line');
if (end === 'exit') process.exit(0);
if (end === 'throw') throw new Error('nobody expects this');
if (end === 'warn') log.warn('something is wrong');
// It only waits for its input, and no timer of its own writes the rest: the logger has to flush it.
if (end === 'wait' || end === 'warn') process.stdin.resume();
if (end === 'warn') {
  // The event loop does not turn again, so everything that can be read was written before.
  const until = Date.now() + 60_000;
  while (Date.now() < until);
}
