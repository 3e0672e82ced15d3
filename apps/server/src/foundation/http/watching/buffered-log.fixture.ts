import { bufferedDestination, createLogger } from './logging.ts';

/** A program that logs some lines and then ends, or does not, as its argument says. */
const log = createLogger('info', bufferedDestination());
const [end] = process.argv.slice(2);
for (let number = 0; number < 1_000; number++) log.info({ number }, 'a line');
if (end === 'exit') process.exit(0);
if (end === 'throw') throw new Error('nobody expects this');
if (end === 'warn') log.warn('something is wrong');
// With nothing but its input to wait for, no timer of its own writes what is left: it has to be flushed.
if (end === 'wait' || end === 'warn') process.stdin.resume();
if (end === 'warn') {
  // The loop does not turn again: whatever is to be read was written before.
  const until = Date.now() + 60_000;
  while (Date.now() < until);
}
