import { expect, test } from 'vitest';
import { buildSettings, deployed, projectOf } from '../../server/src/testing/samples/sample-deployments.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const browser = useBrowser();

const site = `<!doctype html><title>Harbour</title><meta name="viewport" content="width=device-width">
<style>body { margin: 0; font: 28px sans-serif; background: #123; color: #fff; padding: 80px }</style>
<h1>Harbour</h1><p>Ships that arrive today, and where they moor.</p><script>document.title = 'ran'</script>`;

describeInBrowser('the overview', () => {
  test('of a live site shows its environments, its deployments, and a picture of it that runs no script and takes no focus', async () => {
    const place = await projectOf(service, { '/index.html': site, '/README.md': '# Harbour\n\nA site.\n' }, undefined, {
      name: 'Harbour',
    });
    const live = await deployed(place);
    const staging = await deployed(place, { environment: 'staging', build_command: 'exit 1' });
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(`/projects/${place.projectId}/overview`);
    const online = page.getByRole('region', { name: 'Online' });
    const frame = online.locator('iframe[title="Picture of the live site"]');
    await frame.contentFrame().getByRole('heading', { name: 'Harbour', includeHidden: true }).waitFor();
    expect(await frame.evaluate((element) => [element.getAttribute('sandbox'), element.hasAttribute('inert')])).toEqual(
      ['', true],
    );
    const [outer, inner] = [await online.boundingBox(), await frame.boundingBox()];
    expect(inner?.width).toBeLessThan(outer?.width ?? 0);
    const chips = online.getByRole('group', { name: 'Environments' });
    const href = await chips.getByRole('link', { name: 'Production: Ready' }).getAttribute('href');
    expect(href).toBe(await online.getByRole('link', { name: /^Live URL/ }).getAttribute('href'));
    await chips.getByRole('link', { name: 'staging: Failed' }).waitFor();
    await look(page, 'overview-live');
    await page.setViewportSize({ width: 390, height: 844 });
    await lookOnPhone(page, 'overview-live-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);

    await page.goto('/projects');
    await page.getByRole('main').getByRole('link', { name: 'Harbour', exact: true }).waitFor();
    await lookOnPhone(page, 'projects-live-phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    const address = page.getByRole('cell').getByRole('link', { name: new URL(href ?? '').host });
    expect(await address.getAttribute('href')).toBe(href);
    await look(page, 'projects-live');

    await page.goto(`/projects/${place.projectId}/deployments`);
    expect(await page.getByRole('link', { name: 'Production: open “Begin”' }).getAttribute('href')).toBe(href);
    await look(page, 'deployments-live');
    await page.goto(`/projects/${place.projectId}/deployments/${live.id}`);
    await page.getByText(/^Complete ·/).waitFor();
    expect(await page.getByRole('link', { name: /^Live URL/ }).getAttribute('href')).toBe(href);
    expect(await page.getByRole('link', { name: /^URL/ }).getAttribute('href')).toBe(live.url);
    await look(page, 'deployment-live');
    await page.goto(`/projects/${place.projectId}/deployments/${staging.id}`);
    await page.getByRole('alert').getByText('The build failed').waitFor();
    await page.getByText(/^Complete ·/).waitFor();
    await look(page, 'deployment-failed');
    await page.setViewportSize({ width: 390, height: 844 });
    await lookOnPhone(page, 'deployment-failed-390');
    await page.goto(`/projects/${place.projectId}/deployments?deploy=true`);
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).waitFor();
    await lookOnPhone(page, 'deploy-dialog-390');
  });

  test('of a site that only scripts render has no picture', async () => {
    const files = { '/index.html': '<div id="root"></div>', '/package.json': '{"name":"drawn"}' };
    const place = await projectOf(service, files, undefined, { name: 'Drawn' });
    await deployed(place, { build_command: '', output_directory: '.' });
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/overview`);
    await page.getByRole('link', { name: 'Production: Ready' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('iframe').count()).toBe(0);
  });
});
