import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { answerHeaders } from './answer-headers.ts';

const address = { by: 'name', key: 'app', path: '/', prefix: '' } as const;
const cookiesOf = (...cookies: string[]) =>
  answerHeaders(address, { headers: { 'set-cookie': cookies } } as unknown as IncomingMessage)['set-cookie'];

test.each(['Domain=x', 'domain =x', '\tDOMAIN\t= .x', 'Domain', 'Domain='])(
  'a cookie loses its domain, however it is written: %j',
  (attribute) => {
    expect(cookiesOf(`a=b;${attribute}; Path=/`)).toEqual(['a=b; Path=/']);
  },
);

test.each(['=bottega_session=x', 'bottega_session', ' =x', '', 'bottega_session =x', '\t__Host-bottega_session=x'])(
  'a cookie without a name, or with a name of the service, is dropped: %j',
  (cookie) => {
    expect(cookiesOf(cookie, 'mine=1; Secure')).toEqual(['mine=1; Secure']);
  },
);
