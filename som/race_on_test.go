//go:build race

package som

// raceDetector makes the tests over the corpus take every eighth page.
const raceDetector = true
