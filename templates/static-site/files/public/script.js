// The page is whole without this file; it only adds to it.
const clock = document.getElementById('clock');

if (clock) {
  const show = () => {
    const now = new Date();
    clock.textContent = now.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    clock.dateTime = now.toISOString();
  };
  show();
  setInterval(show, 10_000);
}
