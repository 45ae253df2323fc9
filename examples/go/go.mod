module example.com/kreta-player

go 1.19

require (
	google.golang.org/grpc v1.33.3
	google.golang.org/protobuf v1.28.1
	skerry.example v0.0.0
)

// The generated code, see README.md.
replace skerry.example => ./src/skerry.example
