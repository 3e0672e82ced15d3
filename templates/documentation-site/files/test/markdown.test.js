import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render } from '../lib/markdown.js';

const html = (text, options) => render(text, options).html;

test('a heading has an anchor, and the first is the title', () => {
  assert.equal(html('# One & two'), '<h1 id="one-two">One &amp; two</h1>');
  assert.equal(render('# One & two\n\n# Three').title, 'One & two');
  assert.match(html('## A\n\n## A'), /id="a">A<\/h2>\n<h2 id="a-1"/);
});

test('HTML is shown and not run', () => {
  assert.equal(html('<script>alert(1)</script>'), '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>');
  assert.equal(html('[x](javascript:alert)'), '<p><a href="#">x</a></p>');
});

test('code keeps its signs', () => {
  assert.equal(html('`a < b && *c*`'), '<p><code>a &lt; b &amp;&amp; *c*</code></p>');
  assert.equal(html('```js\n1 < 2\n\n# no\n```'), '<pre><code class="language-js">1 &lt; 2\n\n# no\n</code></pre>');
});

test('a backslash takes a sign at its word', () => {
  assert.equal(html('\\*a\\* \\<b\\>'), '<p>*a* &lt;b&gt;</p>');
});

test('lists hold lists', () => {
  assert.equal(html('- a\n  - b\n- c'), '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ul>');
  assert.equal(html('1. a\n2. b'), '<ol>\n<li>a</li>\n<li>b</li>\n</ol>');
});

test('a table has a head and rows', () => {
  assert.match(html('| a | b |\n|---|---|\n| `c` | d |'), /<th>a<\/th><th>b<\/th>.*\n<tbody><tr><td><code>c<\/code><\/td>/);
});

test('links go through the site', () => {
  assert.equal(html('[a](b.md)', { link: () => 'c.html' }), '<p><a href="c.html">a</a></p>');
});
