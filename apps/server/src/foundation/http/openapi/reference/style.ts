const light = `--paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #dfe3e8; --edge: #c9d0d8; --shape: #f4f6f8;
  --main: #2653dd; --get: #1a5fb4; --change: #8a4600; --make: #1a6b35; --end: #b42318;`;
const dark = `--paper: #14181d; --ink: #e6e9ed; --soft: #a3abb6; --line: #2d333b; --edge: #3d444d; --shape: #1b2027;
  --main: #8fabff; --get: #8cb8ff; --change: #f0b35a; --make: #7ad492; --end: #ff8d80;`;

/** The style of the page, with the colours, sizes and shapes of the dashboard. */
export const style = `
:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; display: grid; grid-template: auto 1fr / 13rem minmax(0, 1fr); background: var(--paper); color: var(--ink);
  font: .875rem/1.55 Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
header { position: sticky; top: 0; z-index: 1; grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem;
  align-items: center; padding: .5rem 1rem; background: var(--paper); border-bottom: 1px solid var(--line); }
header form { flex: 0 1 18rem; }
header label { display: flex; gap: .5rem; align-items: center; flex: 0 1 18rem; color: var(--soft); }
.mark { flex: 1; font-weight: 650; color: var(--ink); text-decoration: none; }
nav { position: sticky; top: 3.3rem; align-self: start; max-height: calc(100vh - 3.3rem); overflow: auto; padding: 1rem; }
nav ul, .fields { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .15rem .5rem; color: var(--ink); text-decoration: none; border-radius: .25rem; }
nav a:hover { background: var(--shape); }
main { max-width: 60rem; padding: 1rem 1.5rem 40vh; overflow-wrap: anywhere; }
a { color: var(--main); }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
h2 { margin: 2rem 0 0; font-size: 1.125rem; }
h4 { margin: 1rem 0 .25rem; font-size: .875rem; }
p { margin: .25rem 0 .5rem; }
i { color: var(--soft); font-size: .8125rem; font-style: normal; }
#found { min-height: 1.5em; }
code, pre, textarea { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .8125rem; }
.operation { border: 1px solid var(--line); border-radius: .25rem; margin-top: -1px; }
summary { cursor: pointer; }
.operation > summary { padding: .4rem .75rem; list-style: none; }
.operation > summary:hover { background: var(--shape); }
h3 { display: flex; flex-wrap: wrap; gap: 0 .75rem; margin: 0; font-size: .875rem; font-weight: 400; }
h3 b { min-width: 4rem; font-size: .75rem; line-height: 1.8; }
h3 span { color: var(--soft); }
.get { color: var(--get); } .post { color: var(--make); } .put, .patch { color: var(--change); } .delete { color: var(--end); }
.inside { padding: .25rem .75rem .75rem; }
.schema > .inside { padding: 0; }
.fields > li { padding: .35rem 0; border-top: 1px solid var(--line); }
.fields .fields, .schema > .fields { margin-left: .5rem; padding-left: .75rem; border-left: 2px solid var(--line); }
.fields p { margin: 0; }
.fields b { color: var(--end); font-size: .75rem; font-weight: 500; }
.schema > summary { color: var(--main); }
pre { margin: .5rem 0; padding: .75rem; max-height: 30rem; overflow: auto; white-space: pre-wrap; background: var(--shape);
  border-radius: .25rem; }
pre:empty { display: none; }
input, textarea, select { width: 100%; padding: .3rem .6rem; font: inherit; color: var(--ink); background: var(--paper);
  border: 1px solid var(--edge); border-radius: .25rem; }
.try label { display: grid; grid-template-columns: 10rem 1fr; gap: .5rem; margin: .4rem 0; }
button { padding: .35rem 1rem; font: inherit; font-weight: 600; color: #fff; background: #2653dd; border: 0;
  border-radius: .25rem; cursor: pointer; }
:focus-visible { outline: 2px solid var(--main); outline-offset: 2px; }
@media (max-width: 48em) {
  html { scroll-padding-top: 7rem; }
  body { display: block; }
  .mark { display: none; }
  header form, header label { flex: 1 1 100%; }
  header span { min-width: 4rem; }
  nav { position: static; max-height: none; padding: .5rem 1rem 0; }
  nav ul { display: flex; overflow: auto; }
  nav li { flex: none; }
  main { padding: 1rem 1rem 40vh; }
  .try label { grid-template-columns: 1fr; gap: 0; }
}
`;
