# Plays a game of Kreta against a bot over REST, without a window.
extends SceneTree

var server = OS.get_environment("SKERRY_HTTP") if OS.has_environment("SKERRY_HTTP") else "http://127.0.0.1:8080"
var http = HTTPRequest.new()


# Return the response to a POST of `body`, or to a GET without it. If the call fails, end the program.
func call_server(path, body = null, token = ""):
	var headers = ["Content-Type: application/json"]
	if token:
		headers.append("Authorization: Bearer " + token)
	var method = HTTPClient.METHOD_GET if body == null else HTTPClient.METHOD_POST
	http.request(server + "/v1/" + path, headers, true, method, "" if body == null else JSON.print(body))
	var completed = yield(http, "request_completed")  # result, status, headers, body
	var parsed = JSON.parse(completed[3].get_string_from_utf8())
	if completed[1] == 200:
		return parsed.result
	if parsed.error == OK and parsed.result is Dictionary and parsed.result.has("error"):
		printerr(parsed.result["error"]["message"])
	else:
		printerr("No response of Skerry at ", server)
	quit(1)
	yield(http, "request_completed")  # never: the program ends


func play():
	var seats = [{}, {"occupant": "OCCUPANT_BOT"}]
	var created = yield(call_server("sessions", {"game": "kreta", "seats": seats}), "completed")
	var table = created["session"]["name"]
	var token = yield(call_server(table + ":join", {"displayName": "Ada"}), "completed")["seatToken"]
	var position = yield(call_server(table, null, token), "completed")["position"]
	while position["legalMoves"]:  # the bot moves at once, so it is always Ada's turn
		var move = position["legalMoves"][randi() % position["legalMoves"].size()]
		print(move["text"])
		var act = {"move": move, "expectedSequence": position["sequence"], "view": "POSITION_VIEW_FULL"}
		position = yield(call_server(table + ":act", act, token), "completed")["position"]
	print(position["outcome"]["reason"], " ", position["outcome"]["scores"])
	quit()


func _initialize():
	randomize()
	http.timeout = 30
	get_root().add_child(http)
	play()
