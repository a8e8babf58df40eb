// Runs before the page is drawn, so that a reader who chose a theme never sees the other one. It must not import anything.
{
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}
