import { fillService } from './fill-service.fixture.ts';

/**
 * `node fill.fixture.ts URL KEY_OF_AN_ADMINISTRATOR > VERSION.json`, before a release is kept; see the README beside
 * it.
 */
const [url = '', adminKey = ''] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await fillService({ url, adminKey }), null, 2)}\n`);
