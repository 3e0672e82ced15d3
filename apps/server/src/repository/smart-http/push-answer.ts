import { PassThrough, type Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { asAppError } from '../../foundation/http/request/errors.ts';
import type { Pusher } from '../quarantine/index.ts';
import { push } from './push.service.ts';
import { pushAnswer } from './push-report.ts';
import type { PushRequest } from './push-request.ts';

const aliveMs = 5_000;

type Answering = { requestId: string; log: Pick<FastifyBaseLogger, 'error'>; send: (answer: Readable) => void };

/**
 * The response begins once the client has sent everything, and ends with the report. A failure before that is an HTTP
 * status. A failure after that is a line of the report. If the client disconnects meanwhile, the push is stored either
 * completely or not at all.
 */
export async function answerPush(
  pushes: Parameters<typeof push>[0],
  pusher: Pusher,
  request: PushRequest,
  { requestId, log, send }: Answering,
): Promise<void> {
  const { alive, end } = pushAnswer(request.capabilities);
  const stream = new PassThrough();
  const write = (packets: Buffer[]): void => {
    for (const packet of packets) stream.write(packet);
  };
  let ticking: NodeJS.Timeout | undefined;
  const begin = (): void => {
    send(stream);
    ticking = setInterval(() => write(alive()), aliveMs);
  };
  try {
    write(end(await push(pushes, pusher, request, begin)));
  } catch (error) {
    if (pusher.signal?.aborted) return;
    if (!ticking) throw error;
    log.error({ request_id: requestId, err: error }, 'failed to process a push');
    const { code, message } = asAppError(error);
    const refusal = code === 'INTERNAL_ERROR' ? `something went wrong on our side; try again (${requestId})` : message;
    write(end({ unpackError: null, refs: request.commands.map(({ name }) => ({ name, refusal })), messages: [] }));
  } finally {
    clearInterval(ticking);
    stream.end();
  }
}
