/** Shows the document in full screen, where the browser supports and allows it: it must be called by a press. */
export const enterFullScreen = (): void => void document.documentElement.requestFullscreen?.().catch(() => undefined);

export const leaveFullScreen = (): void => {
  if (document.fullscreenElement) void document.exitFullscreen();
};

export const toggleFullScreen = (): void => (document.fullscreenElement ? leaveFullScreen() : enterFullScreen());
